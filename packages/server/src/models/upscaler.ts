import type { Text } from "../errors.ts";
import type { PriceLine } from "./prices.ts";
import { type Rates, rateOf } from "./rates.ts";
import type { UpscaleResolution } from "./request.ts";

/** The name under which keys are allowed to use it, and under which its tasks are listed. */
export const upscalerModel = "upscale";

/** The upscaler's rules and prices. */
export const upscalerLimits = {
  sizeBytesMax: 200 * 1024 * 1024,
  secondsMax: 600,
  secondsBilledMin: 5,
  framesPerSecondMax: 120,
  /**
   * The rate above which a frame is billed as this part of a second, so that speeding a video up saves
   * nothing.
   */
  framesPerSecondBilled: 60,
} as const;

/** The short side of the result. */
export const shortSideOf: Readonly<Record<UpscaleResolution, number>> = {
  "1080p": 1080,
  "2k": 1440,
  "4k": 2160,
};
/** A video may be long and narrow, but not so that its frames become huge. */
const longSideMax = 8_192;

/** The rates of the upscaler, per second of the source. Inside a generation those of its model apply. */
export const upscalerRateKeys: readonly UpscaleResolution[] = ["1080p", "2k", "4k"];

/** The length of a source. `frames` is `null` until they are counted. */
export interface SourceLength {
  durationMs: number;
  frames: number | null;
}

/** Whole seconds, fractions up: what counts for the limit and for the price. */
function secondsOf({ durationMs, frames }: SourceLength): number {
  const { framesPerSecondBilled } = upscalerLimits;
  return Math.ceil(Math.max(durationMs / 1000, (frames ?? 0) / framesPerSecondBilled));
}

/** `null`: the length is not known yet, and the least is what it will cost at least. */
export function upscaleLine(
  target: UpscaleResolution,
  length: SourceLength | null,
  rates: Rates,
): PriceLine {
  const rate = rateOf(rates, target, upscalerModel);
  return { item: "upscale", key: target, quantity: [secondsBilled(length), 1], rate };
}

/** `null`: the least that is billed. */
export function secondsBilled(length: SourceLength | null): number {
  const seconds = length === null ? 0 : secondsOf(length);
  return Math.max(seconds, upscalerLimits.secondsBilledMin);
}

/** The length as a part of a sentence, with what it counts as. */
export function describeLength(length: SourceLength): Text {
  const { durationMs, frames } = length;
  const seconds = secondsOf(length);
  const isFast = frames !== null && seconds > secondsOf({ durationMs, frames: null });
  const { framesPerSecondBilled } = upscalerLimits;
  const reason = isFast
    ? {
        en: ` and has ${frames} frames, more than ${framesPerSecondBilled} a second`,
        zh: `，共 ${frames} 帧，超过每秒 ${framesPerSecondBilled} 帧`,
      }
    : { en: "", zh: "" };
  const long = (durationMs / 1000).toFixed(2);
  return {
    en: `The source is ${long} s long${reason.en}, which counts as ${seconds} s`,
    zh: `源视频时长 ${long} 秒${reason.zh}，按 ${seconds} 秒计`,
  };
}

/** The fault of a source that is too long, by its duration or by its frames. */
export function faultOfLength(
  length: SourceLength,
): { code: "DURATION_EXCEEDS_LIMIT"; message: Text } | null {
  const { secondsMax } = upscalerLimits;
  if (secondsOf(length) <= secondsMax) return null;
  const { en, zh } = describeLength(length);
  return {
    code: "DURATION_EXCEEDS_LIMIT",
    message: {
      en: `${en}; the limit is ${secondsMax} s.`,
      zh: `${zh}；上限为 ${secondsMax} 秒。`,
    },
  };
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
  /** `null` until they are counted. */
  frames: number | null;
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
): { code: UpscaleFault; message: Text } | null {
  const { type, contentType, sizeBytes, width, height, durationMs, frames } = source;
  const isVideo = type === "VIDEO" && width !== null && height !== null && durationMs !== null;
  if (!isVideo)
    return {
      code: "UNSUPPORTED_MEDIA_TYPE",
      message: {
        en: `The source is ${contentType}, not a video. Use MP4, MOV or WebM.`,
        zh: `源文件是 ${contentType}，不是视频。请使用 MP4、MOV 或 WebM。`,
      },
    };
  if (sizeBytes > upscalerLimits.sizeBytesMax)
    return {
      code: "FILE_TOO_LARGE",
      message: { en: "The source is larger than 200 MB.", zh: "源文件超过 200 MB。" },
    };
  const tooLong = faultOfLength({ durationMs, frames });
  if (tooLong !== null) return tooLong;
  if (Math.min(width, height) >= shortSideOf[target])
    return {
      code: "SOURCE_RESOLUTION_TOO_HIGH",
      message: {
        en: `The source is ${width}x${height}: its short side must be smaller than the ${shortSideOf[target]} px of ${target}.`,
        zh: `源视频为 ${width}x${height}：短边必须小于 ${target} 的 ${shortSideOf[target]} 像素。`,
      },
    };
  if (Math.max(...Object.values(upscaledSides({ width, height }, target))) > longSideMax)
    return {
      code: "UNSUPPORTED_MEDIA_TYPE",
      message: {
        en: `The source is ${width}x${height}: at ${target} its long side would exceed ${longSideMax} px.`,
        zh: `源视频为 ${width}x${height}：超分到 ${target} 后长边将超过 ${longSideMax} 像素。`,
      },
    };
  return null;
}
