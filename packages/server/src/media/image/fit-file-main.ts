import { writeFile } from "node:fs/promises";
import type { Fitted } from "./fit-file.ts";
import { fitImage } from "./fit-image.ts";

/** The program of `fitFile`: a file, the most bytes it may have, and where to write the copy. */
const [path = "", sizeBytesMax = "", copyPath = ""] = process.argv.slice(2);
const image = await fitImage(path, Number(sizeBytesMax));
if (image.kind === "bytes") await writeFile(copyPath, image.bytes);
const result: Fitted =
  image.kind === "fault" ? image : { kind: "fitted", contentType: image.contentType };
process.stdout.write(JSON.stringify(result));
