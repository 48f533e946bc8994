import assert from "node:assert";
import { execFile } from "node:child_process";
import { createCipheriv } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { makeScratch } from "@zoetrope/testkit/services/scratch.ts";

const run = promisify(execFile);

/** A video of one second that has exactly so many bytes: no two of its pieces are alike. */
export async function makePaddedVideo(sizeBytes: number): Promise<Buffer> {
  await using scratch = await makeScratch("video");
  const path = join(scratch.path, "video.mp4");
  const image = ["-f", "lavfi", "-i", "testsrc=size=320x240:rate=10:duration=1"];
  await run("ffmpeg", ["-loglevel", "error", ...image, "-pix_fmt", "yuv420p", path]);
  const video = await readFile(path);
  const padding = sizeBytes - video.length;
  assert(padding >= 8, `a video has at least ${video.length + 8} bytes`);
  const head = Buffer.alloc(8); // a box that every reader passes over
  head.writeUInt32BE(padding, 0);
  head.write("free", 4, "latin1");
  const noise = createCipheriv("aes-128-ctr", Buffer.alloc(16, 7), Buffer.alloc(16));
  return Buffer.concat([video, head, noise.update(Buffer.alloc(padding - 8))]);
}
