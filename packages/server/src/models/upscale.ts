import { invalid } from "../errors.ts";
import { oneOf } from "./inputs.ts";
import type { OutputResolution, Sd2Request, UpscaleResolution } from "./request.ts";
import { shortSideOf } from "./upscaler.ts";

export const upscaleResolution = oneOf(
  ["1080p", "2k", "4k"],
  "Upscales the finished video; must be higher than outputResolution and upscale what is rendered.",
).optional();

/** An upscale to what the model renders anyway would be paid for nothing. */
export function checkUpscale(
  upscale: UpscaleResolution | undefined,
  output: OutputResolution,
): UpscaleResolution | null {
  if (upscale === output)
    throw invalid(
      "inputs.upscaleResolution",
      `must be higher than outputResolution, which is ${output} already`,
    );
  return upscale ?? null;
}

type Ratio = NonNullable<Sd2Request["ratio"]>;

/** What Ark renders, by its own table: `1080p` is a number of pixels, not a short side. */
const shortSidesRendered: Readonly<Record<OutputResolution, Readonly<Record<Ratio, number>>>> = {
  "720p": { "16:9": 720, "9:16": 720, "4:3": 834, "3:4": 834, "1:1": 960, "21:9": 630 },
  "1080p": { "16:9": 1080, "9:16": 1080, "4:3": 1248, "3:4": 1248, "1:1": 1440, "21:9": 946 },
};
const ratios = Object.keys(shortSidesRendered["720p"]) as Ratio[];

/** By how much a first frame must be nearer to one ratio than to the next: natural logarithm. */
const marginMin = 0.1;

/**
 * Refuses an upscale that would certainly not upscale the video. Without a ratio the shape follows the
 * first frame; where that is unknown, what was not upscaled is found out, and not charged, at the end.
 */
export function requireUpscale(
  request: Sd2Request,
  firstFrame: { width: number; height: number } | null,
): void {
  const { upscaleResolution: target, outputResolution } = request;
  if (target === null) return;
  const ratio = request.ratio ?? (firstFrame === null ? null : clearlyNearest(firstFrame));
  if (ratio === null) return;
  const rendered = shortSidesRendered[outputResolution][ratio];
  if (shortSideOf[target] > rendered) return;
  throw invalid(
    "inputs.upscaleResolution",
    `must upscale the video: ${request.model} renders ${outputResolution} in ${ratio} with a short side of ${rendered} px, and ${target} has ${shortSideOf[target]} px`,
  );
}

/** The ratio that Ark chooses for a first frame, unless another is about as near. */
function clearlyNearest({ width, height }: { width: number; height: number }): Ratio | null {
  const [first, second] = ratios
    .map((ratio) => {
      const [across = 1, down = 1] = ratio.split(":").map(Number);
      return { ratio, distance: Math.abs(Math.log((width * down) / (height * across))) };
    })
    .sort((one, other) => one.distance - other.distance);
  if (first === undefined || second === undefined) return null;
  return second.distance - first.distance > marginMin ? first.ratio : null;
}
