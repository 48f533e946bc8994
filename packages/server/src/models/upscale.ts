import { invalid } from "../errors.ts";
import { oneOf } from "./inputs.ts";
import type { Model } from "./model.ts";
import type { ModelRequest } from "./request.ts";
import { shortSideOf } from "./upscaler.ts";

/** What a video can be upscaled to. */
export const upscaleTargets = ["1080p", "2k", "4k"] as const;

export const upscaleResolution = oneOf(upscaleTargets).optional();

/**
 * The minimum margin by which a first frame must be nearer to one ratio than to the next: natural
 * logarithm.
 */
const marginMin = 0.1;

/**
 * Refuses an upscale that would certainly not upscale the video: it would be paid for nothing. Without
 * a ratio the shape follows the first frame; where that is unknown, what was not upscaled is found out,
 * and not charged, at the end.
 */
export function requireUpscale(
  model: Model,
  request: ModelRequest,
  firstFrame: { width: number; height: number } | null,
): void {
  if (model.kind !== "video" || request.kind !== "video") return;
  const { upscaleResolution: target, outputResolution } = request;
  if (target === null) return;
  if (shortSideOf[target] <= Number.parseInt(outputResolution, 10))
    throw invalid("inputs.upscaleResolution", {
      en: `must be higher than outputResolution, which is ${outputResolution} already`,
      zh: `必须高于 outputResolution，它已经是 ${outputResolution}`,
    });
  const sides = model.shortSidesRendered?.[outputResolution];
  if (sides === undefined) return;
  const ratio = request.ratio ?? (firstFrame && clearlyNearest(Object.keys(sides), firstFrame));
  const rendered = ratio === null ? undefined : sides[ratio];
  if (rendered === undefined || shortSideOf[target] > rendered) return;
  throw invalid("inputs.upscaleResolution", {
    en: `must upscale the video: ${request.model} renders ${outputResolution} in ${ratio} with a short side of ${rendered} px, and ${target} has ${shortSideOf[target]} px`,
    zh: `不会提高分辨率：${request.model} 以 ${ratio} 生成的 ${outputResolution} 视频短边为 ${rendered} 像素，而 ${target} 为 ${shortSideOf[target]} 像素`,
  });
}

/** The ratio that a model chooses for a first frame, unless another is about as near. */
function clearlyNearest(
  ratios: readonly string[],
  { width, height }: { width: number; height: number },
): string | null {
  const [first, second] = ratios
    .map((ratio) => {
      const [across = 1, down = 1] = ratio.split(":").map(Number);
      return { ratio, distance: Math.abs(Math.log((width * down) / (height * across))) };
    })
    .sort((one, other) => one.distance - other.distance);
  if (first === undefined || second === undefined) return null;
  return second.distance - first.distance > marginMin ? first.ratio : null;
}
