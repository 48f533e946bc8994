import { execFile } from "node:child_process";
import { stat } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { type Image, imageTypeOf } from "./fit-image.ts";

const run = promisify(execFile);
const program = fileURLToPath(new URL("fit-file-main.ts", import.meta.url));
const fitMsMax = 90_000;
/** Below everything that answers somebody; ends with this process. */
const lowly = ["--pdeathsig", "KILL", "/usr/bin/nice", "-n", "19"];

/** What the program prints: of which type the new file is, or why there is none. */
export type Fitted = { contentType: Image["contentType"] } | { fault: string };

/**
 * A local image of at most `sizeBytesMax`: the file itself where it fits, otherwise a copy at `copyPath`. The copy
 * is made by a process of its own: decoding a large image takes seconds of a processor and threads that every
 * file operation of this process needs too. A fault is the file's; trouble of our own throws.
 */
export async function fitFile(
  path: string,
  sizeBytesMax: number,
  copyPath: string,
): Promise<Image | { fault: string }> {
  const contentType = await imageTypeOf(path);
  if (typeof contentType !== "string") return contentType;
  if ((await stat(path)).size <= sizeBytesMax) return { path, contentType };
  const fit = [process.execPath, program, path, String(sizeBytesMax), copyPath];
  const { stdout } = await run("/usr/bin/setpriv", [...lowly, ...fit], {
    timeout: fitMsMax,
    killSignal: "SIGKILL",
    env: { PATH: "/usr/bin:/bin" },
  });
  const fitted = JSON.parse(stdout) as Fitted;
  return "fault" in fitted ? fitted : { path: copyPath, ...fitted };
}
