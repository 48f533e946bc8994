import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { InputError } from "../../kit/input-error.ts";
import { audioRateHz } from "./audio.ts";
import type { Media, VideoSpec } from "./compose.ts";
import { placeThumbs } from "./gallery.ts";
import { type MediaKind, untrustedInput } from "./media-formats.ts";
import type { Image } from "./paint.ts";
import { runFfmpeg, type Studio } from "./run-ffmpeg.ts";

const decodeMsMax = 30_000;

interface Workplace {
  studio: Studio;
  folder: string;
}

/**
 * Decodes the inputs of a video, each with an ffmpeg of its own, into raw files in `folder`: the
 * ffmpeg that renders the video reads nothing but what we have written. Throws InputError.
 */
export async function readMedia(studio: Studio, folder: string, spec: VideoSpec): Promise<Media> {
  const workplace = { studio, folder };
  const { firstFrame, lastFrame, references = [], clips = [], audioFiles = [] } = spec;
  const places = placeThumbs(spec, references.length + clips.length);
  const { side = 0 } = places[0] ?? {};
  if (firstFrame) await readStill(workplace, "image", firstFrame, "first.raw", spec);
  if (lastFrame) await readStill(workplace, "image", lastFrame, "last.raw", spec);
  for (const [at, bytes] of audioFiles.entries()) {
    const args = ["-vn", "-t", String(spec.seconds), "-ac", "1", "-ar", String(audioRateHz)];
    const size = await decode(
      workplace,
      "audio",
      bytes,
      [...args, "-f", "s16le"],
      `audio${at}.raw`,
    );
    if (size === 0) throw unusable("audio");
  }
  const thumbs: Media["thumbs"] = [];
  for (const [at, bytes] of references.entries())
    thumbs.push({ label: `${at + 1}`, image: await readThumb(workplace, "image", bytes, side) });
  for (const [at, bytes] of clips.entries())
    thumbs.push({ label: `▶ ${at + 1}`, image: await readThumb(workplace, "clip", bytes, side) });
  return {
    hasFirstFrame: firstFrame !== undefined,
    hasLastFrame: lastFrame !== undefined,
    thumbs,
    audioFiles: audioFiles.length,
  };
}

async function readThumb(workplace: Workplace, kind: MediaKind, bytes: Buffer, side: number) {
  await readStill(workplace, kind, bytes, "thumb.raw", { width: side, height: side });
  const raw = await readFile(join(workplace.folder, "thumb.raw"));
  const image: Image = { width: side, height: side, pixelFormat: "rgb24", bytes: raw };
  return image;
}

/** The first frame of an image or clip, cut to the wanted shape around its middle, then scaled. */
async function readStill(
  workplace: Workplace,
  kind: MediaKind,
  bytes: Buffer,
  outputName: string,
  { width, height }: { width: number; height: number },
): Promise<void> {
  // cut before scaling: an image of one column scaled to the video's width would fill the memory
  const cut = `crop='max(1,min(iw,ih*${width}/${height}))':'max(1,min(ih,iw*${height}/${width}))'`;
  const filters = `${cut},scale=${width}:${height}:flags=bicubic,format=rgb24`;
  const args = ["-an", "-frames:v", "1", "-vf", filters, "-f", "rawvideo"];
  const size = await decode(workplace, kind, bytes, args, outputName);
  if (size !== width * height * 3) throw unusable(kind);
}

/** The size of what came out, in bytes. */
async function decode(
  { studio, folder }: Workplace,
  kind: MediaKind,
  bytes: Buffer,
  args: string[],
  outputName: string,
): Promise<number> {
  const input = untrustedInput(kind, bytes);
  if (!input) throw unusable(kind);
  await writeFile(join(folder, "input"), bytes);
  const quiet = ["-hide_banner", "-nostdin", "-loglevel", "error", "-y", "-threads", "1"];
  try {
    await runFfmpeg(studio, folder, [...quiet, ...input, ...args, outputName], decodeMsMax);
    return (await stat(join(folder, outputName))).size;
  } catch (error) {
    throw studio.stopped ? error : unusable(kind, error);
  }
}

const names: Record<MediaKind, string> = {
  image: "image",
  clip: "video",
  video: "video",
  audio: "audio",
};

function unusable(kind: MediaKind, cause?: unknown): InputError {
  const message = `The ${names[kind]} cannot be parsed or its format is unsupported.`;
  return new InputError("input_unusable", message, { cause });
}
