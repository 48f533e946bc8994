import { execFile } from "node:child_process";
import { stat } from "node:fs/promises";
import { extname } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { type Image, type ImageFault, imageTypeOf } from "./fit-image.ts";

const run = promisify(execFile);
/** Built or not, as this file. */
const programName = `fit-file-main${extname(import.meta.url)}`;
const program = fileURLToPath(new URL(programName, import.meta.url));
const fitMsMax = 90_000;
/** Lower priority than request handling; ends with this process. */
const lowly = ["--pdeathsig", "KILL", "/usr/bin/nice", "-n", "19"];

/** What the program prints: the type of the new file, or why there is none. */
export type Fitted = { kind: "fitted"; contentType: Image["contentType"] } | ImageFault;

/**
 * A local image of at most `sizeBytesMax`: the file itself if it fits, otherwise a copy at `copyPath`.
 * The copy is made by a separate process: decoding a large image takes seconds of processor time and
 * threads that file operations of this process need. A fault is the file's; internal failures throw.
 */
export async function fitFile(
  path: string,
  sizeBytesMax: number,
  copyPath: string,
): Promise<Image | ImageFault> {
  const contentType = await imageTypeOf(path);
  if (typeof contentType !== "string") return contentType;
  if ((await stat(path)).size <= sizeBytesMax) return { kind: "file", path, contentType };
  const fit = [process.execPath, program, path, String(sizeBytesMax), copyPath];
  const { stdout } = await run("/usr/bin/setpriv", [...lowly, ...fit], {
    timeout: fitMsMax,
    killSignal: "SIGKILL",
    env: { PATH: "/usr/bin:/bin" },
  });
  const fitted = JSON.parse(stdout) as Fitted;
  if (fitted.kind === "fault") return fitted;
  return { kind: "file", path: copyPath, contentType: fitted.contentType };
}
