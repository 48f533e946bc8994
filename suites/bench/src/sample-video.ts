import { join } from "node:path";
import { lavfi, renderFile } from "@zoetrope/testkit/make-media.ts";

/** A video of five seconds in 720p with audio, about 4 MB, as a vendor delivers it. */
export function makeSampleVideo(dir: string): Promise<string> {
  return renderFile(join(dir, "sample.mp4"), [
    ...lavfi("testsrc2=s=1280x720:r=24:d=5,noise=alls=12:allf=t"),
    ...lavfi("sine=d=5"),
    "-c:v",
    "libx264",
    "-preset",
    "veryfast",
    "-b:v",
    "6M",
    "-pix_fmt",
    "yuv420p",
    "-c:a",
    "aac",
    "-movflags",
    "+faststart",
  ]);
}

/** An image of 1024x1024 as PNG, about 1.9 MB, as a vendor delivers it. */
export function makeSampleImage(dir: string): Promise<string> {
  const pattern = lavfi("testsrc2=s=1024x1024,noise=alls=12");
  return renderFile(join(dir, "sample.png"), [...pattern, "-frames:v", "1"]);
}

/** A test pattern of five seconds in 720p without audio, about 50 KB: what remains is not its bytes. */
export function makeSmallVideo(dir: string): Promise<string> {
  return renderFile(join(dir, "small.mp4"), [
    ...lavfi("testsrc=s=1280x720:r=24:d=5"),
    "-c:v",
    "libx264",
    "-preset",
    "veryfast",
    "-pix_fmt",
    "yuv420p",
    "-movflags",
    "+faststart",
  ]);
}
