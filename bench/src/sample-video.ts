import { join } from "node:path";
import { lavfi, renderFile } from "@zoetrope/testkit/make-media.ts";

/** A real video of four seconds in 720p, as a vendor delivers it. */
export function makeSampleVideo(dir: string): Promise<string> {
  const source = lavfi("testsrc=size=1280x720:rate=24:duration=4");
  return renderFile(join(dir, "sample.mp4"), [...source, "-pix_fmt", "yuv420p"]);
}
