import type { SegmentPlan, VideoPlan } from "../../db/tables/upscale.ts";

const megapixel = 1_000_000;
/** Segments that start between key frames are this much longer, since each decodes from the key frame on. */
const timesLonger = 6;

/**
 * Cuts a video into segments of similar work, at key frames, where decoding can start. If none comes
 * for long, it is cut anyway, and the frames decoded before the segment are discarded. The last
 * segments get smaller, half of what is left, so that workers finish at about the same time.
 */
export function cutVideo(
  { width, height, firstAt, endsAt }: Pick<VideoPlan, "width" | "height" | "firstAt" | "endsAt">,
  frames: readonly { at: number; isKey: boolean }[],
  segmentMegapixels: number,
): SegmentPlan[] {
  const framesMin = Math.max(1, Math.ceil((segmentMegapixels * megapixel) / (width * height)));
  const starts: { at: number; frame: number }[] = [{ at: firstAt, frame: 0 }];
  let last = 0;
  for (const [frame, { at, isKey }] of frames.entries()) {
    const framesSince = frame - last;
    const wanted = Math.max(framesMin / 2, Math.min(framesMin, (frames.length - last) / 2));
    const isDue = framesSince >= (isKey ? wanted : timesLonger * wanted);
    // A short rest is merged into the previous segment.
    const isEnough = frames.length - frame >= framesMin / 2;
    if (!isDue || !isEnough) continue;
    starts.push({ at, frame });
    last = frame;
  }
  return starts.map(({ at, frame }, number) => {
    const next = starts[number + 1] ?? { at: endsAt, frame: frames.length };
    return { from: at, to: next.at, frames: next.frame - frame };
  });
}
