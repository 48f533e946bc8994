import type { Prices, Schedule } from "./prices.ts";
import type { UpscaleResolution } from "./request.ts";

/** The name under which keys are allowed to use it, and under which its tasks are listed. */
export const upscalerModel = "upscale";

/** The upscaler's rules and prices. */
export const upscalerLimits = {
  sizeBytesMax: 200 * 1024 * 1024,
  secondsMax: 600,
  secondsBilledMin: 5,
  framesPerSecondMax: 120,
} as const;

/** The short side of the result. */
export const shortSideOf: Readonly<Record<UpscaleResolution, number>> = {
  "1080p": 1080,
  "2k": 1440,
  "4k": 2160,
};
/** A video may be long and narrow, but not so that its frames become huge. */
const longSideMax = 8_192;

/** Credits per second of the source. Inside a generation other prices apply. */
export const upscalerPrices: Readonly<Record<UpscaleResolution, Prices>> = {
  "1080p": { A: 3, B: 25 },
  "2k": { A: 5, B: 38 },
  "4k": { A: 7, B: 50 },
};

/** Whole seconds, fractions up: what counts for the limit and for the price. */
function secondsOf(durationMs: number): number {
  return Math.ceil(durationMs / 1000);
}

/** `null`: the length is not known yet, and the least is what it will cost at least. */
export function priceOfUpscale(
  target: UpscaleResolution,
  durationMs: number | null,
  schedule: Schedule,
): number {
  const seconds = durationMs === null ? 0 : secondsOf(durationMs);
  return Math.max(seconds, upscalerLimits.secondsBilledMin) * upscalerPrices[target][schedule];
}

/** The sides of the result: aspect kept, both even. */
export function upscaledSides(
  source: { width: number; height: number },
  target: UpscaleResolution,
): { width: number; height: number } {
  const short = Math.min(source.width, source.height);
  const even = (side: number) => 2 * Math.round((side * shortSideOf[target]) / short / 2);
  return { width: even(source.width), height: even(source.height) };
}

export interface SourceFacts {
  type: "IMAGE" | "VIDEO" | "AUDIO";
  contentType: string;
  sizeBytes: number;
  width: number | null;
  height: number | null;
  durationMs: number | null;
}

export type UpscaleFault =
  | "UNSUPPORTED_MEDIA_TYPE"
  | "FILE_TOO_LARGE"
  | "DURATION_EXCEEDS_LIMIT"
  | "SOURCE_RESOLUTION_TOO_HIGH";

/** The fault of a source, by its probed properties; the same at create and in the task. */
export function faultOfSource(
  source: SourceFacts,
  target: UpscaleResolution,
): { code: UpscaleFault; message: string } | null {
  const { type, contentType, sizeBytes, width, height, durationMs } = source;
  const isVideo = type === "VIDEO" && width !== null && height !== null && durationMs !== null;
  if (!isVideo)
    return {
      code: "UNSUPPORTED_MEDIA_TYPE",
      message: `The source is ${contentType}, not a video. Use MP4, MOV or WebM.`,
    };
  if (sizeBytes > upscalerLimits.sizeBytesMax)
    return { code: "FILE_TOO_LARGE", message: "The source is larger than 200 MB." };
  const seconds = secondsOf(durationMs);
  if (seconds > upscalerLimits.secondsMax)
    return {
      code: "DURATION_EXCEEDS_LIMIT",
      message: `The source is ${(durationMs / 1000).toFixed(2)} s long, which counts as ${seconds} s; the limit is ${upscalerLimits.secondsMax} s.`,
    };
  if (Math.min(width, height) >= shortSideOf[target])
    return {
      code: "SOURCE_RESOLUTION_TOO_HIGH",
      message: `The source is ${width}x${height}: its short side must be smaller than the ${shortSideOf[target]} px of ${target}.`,
    };
  if (Math.max(...Object.values(upscaledSides({ width, height }, target))) > longSideMax)
    return {
      code: "UNSUPPORTED_MEDIA_TYPE",
      message: `The source is ${width}x${height}: at ${target} its long side would exceed ${longSideMax} px.`,
    };
  return null;
}
