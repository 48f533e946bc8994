import { stat } from "node:fs/promises";
import { type Media, probeMedia } from "../../kit/probe-media.ts";

export const assetTypes = ["Image", "Video", "Audio"] as const;
export type AssetType = (typeof assetTypes)[number];

/** Why an asset failed. The vendor's vocabulary is not documented: these codes are the sandbox's. */
export interface AssetFailure {
  code: string;
  message: string;
}

const bytesPerMegabyte = 1_024 * 1_024;
const sizeBytesMax: Record<AssetType, number> = {
  Image: 30 * bytesPerMegabyte - 1,
  Video: 50 * bytesPerMegabyte,
  Audio: 15 * bytesPerMegabyte,
};
const formats: Record<AssetType, RegExp> = {
  Image: /^(jpeg|png|webp|bmp|tiff)_pipe$|^gif$/,
  Video: /\bmp4\b/,
  Audio: /^(wav|mp3)$/,
};
const sideMin = 300;
const sideMax = 6_000;
const ratioMin = 0.4;
const ratioMax = 2.5;
const secondsMin = 2;
const secondsMax = 15;
const videoPixelsMin = 409_600;
const videoPixelsMax = 2_086_876;
const framesPerSecondMin = 24;
const framesPerSecondMax = 60;
/** 23.976 frames per second count as 24. */
const framesPerSecondSlack = 0.05;
/** The last frame or sample of a video of 15 s may end a little later. */
const secondsSlack = 0.1;

/** Judges a downloaded file by the limits of its type; null when it may be used. */
export async function inspectMedia(
  path: string,
  type: AssetType,
  stopping: AbortSignal,
): Promise<AssetFailure | null> {
  const { size } = await stat(path);
  if (size > sizeBytesMax[type]) return failure("FileSize", `${size} bytes are too many`);
  const media = await probeMedia(path, stopping);
  if (!media || !formats[type].test(media.format)) {
    return failure("FileFormat", `The file is not of a format that is taken for ${type}`);
  }
  if (type === "Image") return inspectImage(media);
  return type === "Video" ? inspectVideo(media) : inspectAudio(media);
}

function inspectImage({ video }: Media): AssetFailure | null {
  if (!video) return failure("FileFormat", "The file holds no image");
  const { width, height } = video;
  if (Math.min(width, height) < sideMin || Math.max(width, height) > sideMax) {
    const limits = `${sideMin} to ${sideMax} pixels`;
    return failure("Resolution", `Each side must have ${limits}, not ${width}x${height}`);
  }
  return inspectRatio(width, height);
}

function inspectVideo({ video, seconds }: Media): AssetFailure | null {
  if (!video) return failure("FileFormat", "The file holds no video");
  const { width, height, framesPerSecond } = video;
  const pixels = width * height;
  if (pixels < videoPixelsMin || pixels > videoPixelsMax) {
    const limits = `${videoPixelsMin} to ${videoPixelsMax} pixels`;
    return failure("Resolution", `A frame must have ${limits}, not ${pixels}`);
  }
  const isSlow = framesPerSecond < framesPerSecondMin - framesPerSecondSlack;
  if (isSlow || framesPerSecond > framesPerSecondMax + framesPerSecondSlack) {
    const limits = `${framesPerSecondMin} to ${framesPerSecondMax}`;
    return failure("FrameRate", `There must be ${limits} frames per second`);
  }
  return inspectRatio(width, height) ?? inspectLength(seconds);
}

function inspectAudio({ hasAudio, seconds }: Media): AssetFailure | null {
  return hasAudio ? inspectLength(seconds) : failure("FileFormat", "The file has no audio");
}

function inspectRatio(width: number, height: number): AssetFailure | null {
  const ratio = width / height;
  if (ratio >= ratioMin && ratio <= ratioMax) return null;
  return failure("AspectRatio", `Width to height must be ${ratioMin} to ${ratioMax}`);
}

function inspectLength(seconds: number): AssetFailure | null {
  if (seconds >= secondsMin && seconds <= secondsMax + secondsSlack) return null;
  return failure("Duration", `It must last ${secondsMin} to ${secondsMax} seconds`);
}

function failure(what: string, why: string): AssetFailure {
  return { code: `InvalidParameter.${what}`, message: `${why}.` };
}
