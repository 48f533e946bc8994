import type { VideoPlan } from "../../db/tables/upscale.ts";
import { shortSideOf } from "../../models/upscaler.ts";

/** The maximum difference in duration between source and output. */
export const differenceMsMax = 100;
/** Encoders want sides that are multiples of up to 16. */
const shapeDifferenceMax = 0.02;

/** Returns the time for which the image is shown. */
export function shownMsOf({ tick, firstAt, endsAt }: VideoPlan): number {
  return ((endsAt - firstAt) * 1000 * tick.over) / tick.under;
}

/**
 * Returns the fault in the resolution of an output, for operators. Our resolution is exactly that of the
 * plan; a vendor's only has to reach the target in the aspect ratio of the source.
 */
export function faultOfSides(
  video: VideoPlan,
  { width, height }: { width: number; height: number },
): string | null {
  if (width === video.width && height === video.height) return null;
  const wrong = `it is ${width}x${height} instead of ${video.width}x${video.height}`;
  if (video.by === "us") return wrong;
  const isLarge = Math.min(width, height) >= shortSideOf[video.target];
  const isEven = width % 2 === 0 && height % 2 === 0;
  const stretch = (width * video.height) / (height * video.width);
  const isAlike = Math.abs(stretch - 1) <= shapeDifferenceMax;
  return isLarge && isEven && isAlike ? null : wrong;
}
