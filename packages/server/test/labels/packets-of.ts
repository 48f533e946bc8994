import { execFile } from "node:child_process";
import { promisify } from "node:util";

const run = promisify(execFile);

/** The digest of each video and audio stream, packet for packet; null where ffmpeg cannot copy them. */
export async function packetsOf(path: string): Promise<string[] | null> {
  const streams = ["-map", "0:v", "-map", "0:a?", "-c", "copy", "-f", "streamhash"];
  return run("ffmpeg", ["-v", "error", "-i", path, ...streams, "-"]).then(
    ({ stdout }) => stdout.trim().split("\n"),
    () => null,
  );
}
