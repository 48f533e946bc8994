import { writeFile } from "node:fs/promises";
import type { Fitted } from "./fit-file.ts";
import { fitPicture } from "./fit-picture.ts";

/** The program of `fitFile`: a file, the most bytes it may have, and where to write the copy. */
const [path = "", sizeBytesMax = "", copyPath = ""] = process.argv.slice(2);
const picture = await fitPicture(path, Number(sizeBytesMax));
if ("bytes" in picture) await writeFile(copyPath, picture.bytes);
const told: Fitted = "fault" in picture ? picture : { contentType: picture.contentType };
process.stdout.write(JSON.stringify(told));
