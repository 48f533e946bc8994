import { mkdtemp, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { InputError } from "../../kit/input-error.ts";
import { untrustedInput } from "../../kit/media-formats.ts";
import { probeMedia } from "../../kit/probe-media.ts";
import { runFfmpeg, type Studio } from "../../render/video/run-ffmpeg.ts";
import { FalError } from "./errors.ts";
import type { Resolution, UpscaleRequest } from "./read-request.ts";

/** The short sides in pixels. The vendor's documentation does not define `2k`. */
const shortSides: Record<Resolution, number> = { "1080p": 1_080, "2k": 1_440, "4k": 2_160 };

interface UpscalePlan extends Pick<UpscaleRequest, "targetResolution" | "framesPerSecond"> {
  /** The result is half as long as its source. */
  isCut: boolean;
}

/**
 * Upscales a video, at another frame rate and with its audio, and moves it to `path` when it is
 * complete. Throws InputError and FalError.
 */
export async function upscaleVideo(
  studio: Studio,
  bytes: Buffer,
  plan: UpscalePlan,
  path: string,
  stopping: AbortSignal,
): Promise<{ bytes: number; seconds: number }> {
  const folder = await mkdtemp(join(studio.workDir, "upscale-"));
  try {
    const input = untrustedInput("video", bytes);
    await writeFile(join(folder, "input"), bytes);
    const source = input && (await probeMedia(join(folder, "input"), stopping));
    if (!input || !source?.video) throw new InputError("input_unusable", "This is no video.");
    const shortSide = shortSides[plan.targetResolution];
    if (Math.min(source.video.width, source.video.height) >= shortSide) {
      const rule = `one side of length less than ${shortSide} pixels`;
      const message = `The input video must have ${rule} for ${plan.targetResolution} upscale`;
      throw new FalError("value_error", message);
    }
    const length = plan.isCut ? ["-t", String(source.seconds / 2)] : [];
    const made = [...length, ...encoding(shortSide, plan.framesPerSecond), "video.mp4"];
    await runFfmpeg(studio, folder, [...quiet, ...input, ...made]);
    const video = join(folder, "video.mp4");
    const { seconds = 0 } = (await probeMedia(video, stopping)) ?? {};
    const { size } = await stat(video);
    await rename(video, path);
    return { bytes: size, seconds };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const quiet = ["-hide_banner", "-nostdin", "-loglevel", "error", "-y"];

function encoding(shortSide: number, framesPerSecond: number): string[] {
  const isWide = "gt(iw,ih)";
  const sides = `w='if(${isWide},-2,${shortSide})':h='if(${isWide},${shortSide},-2)'`;
  return [
    "-map",
    "0:v:0",
    "-map",
    "0:a?",
    "-map_metadata",
    "-1",
    "-vf",
    `scale=${sides}:flags=bilinear,setsar=1,fps=${framesPerSecond},format=yuv420p`,
    "-fps_mode",
    "passthrough", // a video stream that begins after the audio does so in the result
    "-c:v",
    "libx264",
    "-preset",
    "ultrafast",
    "-crf",
    "30",
    "-c:a",
    "aac",
    "-movflags",
    "+faststart",
    "-f",
    "mp4",
  ];
}
