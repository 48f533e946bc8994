import { execFile } from "node:child_process";
import { once } from "node:events";
import { createReadStream } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

const framesPerSecond = 4;

/** Makes a clip with a key frame every two seconds and sound, and offers it as its owner would. */
export async function offerClip(
  dir: string,
  seconds: number,
): Promise<AsyncDisposable & { url: string }> {
  const path = join(dir, "clip.mp4");
  await run("ffmpeg", [
    ...["-v", "error", "-y", "-f", "lavfi", "-i"],
    `testsrc2=s=160x90:r=${framesPerSecond}:d=${seconds}`,
    ...["-f", "lavfi", "-i", `sine=f=440:d=${seconds}`, "-c:v", "libx264", "-bf", "2"],
    ...["-g", String(2 * framesPerSecond), "-pix_fmt", "yuv420p", "-c:a", "aac", path],
  ]);
  const server = createServer((_request, response) => {
    createReadStream(path).pipe(response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/clip.mp4`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}
