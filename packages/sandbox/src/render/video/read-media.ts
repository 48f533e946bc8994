import { createHash } from "node:crypto";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { formatOf } from "../../kit/image-format.ts";
import { InputError } from "../../kit/input-error.ts";
import { type MediaKind, untrustedInput } from "../../kit/media-formats.ts";
import type { Image } from "../scenes/paint.ts";
import { audioRateHz } from "./audio.ts";
import { runFfmpeg, type Studio } from "./run-ffmpeg.ts";
import type { Media, VideoSpec } from "./spec.ts";

/** An input of an image that could be read. */
export interface Reference {
  bytes: Buffer;
  /** Names the bytes, so that a stored image is found by what it shows. */
  digest: string;
  thumb: Image;
}

const thumb = { width: 240, height: 240 };

interface Workplace {
  studio: Studio;
  folder: string;
}

/** Decodes the inputs of a video, each with a separate ffmpeg. Throws InputError. */
export async function readMedia(studio: Studio, folder: string, spec: VideoSpec): Promise<Media> {
  const at = { studio, folder };
  const { firstFrame, lastFrame, references = [], clips = [], audioFiles = [] } = spec;
  const thumbs: Image[] = [];
  const audio: Buffer[] = [];
  for (const bytes of references) thumbs.push(await readStill(at, "image", bytes, thumb));
  for (const bytes of clips) thumbs.push(await readStill(at, "clip", bytes, thumb));
  for (const bytes of audioFiles) audio.push(await readAudio(at, bytes, spec.seconds));
  return {
    ...(firstFrame && { firstFrame: await readStill(at, "image", firstFrame, spec) }),
    ...(lastFrame && { lastFrame: await readStill(at, "image", lastFrame, spec) }),
    thumbs,
    audioFiles: audio,
  };
}

/** Reads an image's input, counted from 1, to its last byte. Throws InputError. */
export async function readReference(
  studio: Studio,
  bytes: Buffer,
  number: number,
): Promise<Reference> {
  const folder = await mkdtemp(join(studio.workDir, "reference-"));
  try {
    if (!formatOf(bytes)) throw unusable("image");
    const strict = ["-xerror", "-err_detect", "explode"];
    const small = await readStill({ studio, folder }, "image", bytes, thumb, strict);
    return { bytes, digest: createHash("sha256").update(bytes).digest("hex"), thumb: small };
  } catch (cause) {
    if (!(cause instanceof InputError)) throw cause;
    const message = `image ${number} is damaged or no PNG, JPEG or WebP`;
    throw new InputError("input_unusable", message, { cause });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The first frame of an image or clip, cut to the wanted shape around its middle, then scaled. */
export async function readStill(
  workplace: Workplace,
  kind: MediaKind,
  bytes: Buffer,
  { width, height }: { width: number; height: number },
  options: readonly string[] = [],
): Promise<Image> {
  // cut before scaling: an image of one column scaled to the video's width would fill the memory
  const cut = `crop='max(1,min(iw,ih*${width}/${height}))':'max(1,min(ih,iw*${height}/${width}))'`;
  const filters = `${cut},scale=${width}:${height}:flags=bicubic,format=rgb24`;
  const output = ["-an", "-frames:v", "1", "-vf", filters, "-f", "rawvideo"];
  const raw = await decode(workplace, kind, bytes, options, output);
  if (raw.length !== width * height * 3) throw unusable(kind);
  return { width, height, pixelFormat: "rgb24", bytes: raw };
}

async function readAudio(workplace: Workplace, bytes: Buffer, seconds: number): Promise<Buffer> {
  const format = ["-ac", "1", "-ar", String(audioRateHz), "-f", "s16le"];
  const output = ["-vn", "-t", String(seconds), ...format];
  const raw = await decode(workplace, "audio", bytes, [], output);
  if (raw.length === 0) throw unusable("audio");
  return raw;
}

async function decode(
  { studio, folder }: Workplace,
  kind: MediaKind,
  bytes: Buffer,
  options: readonly string[],
  output: readonly string[],
): Promise<Buffer> {
  const input = untrustedInput(kind, bytes);
  if (!input) throw unusable(kind);
  await writeFile(join(folder, "input"), bytes);
  const quiet = ["-hide_banner", "-nostdin", "-loglevel", "error", "-y", "-threads", "1"];
  try {
    await runFfmpeg(studio, folder, [...quiet, ...options, ...input, ...output, "decoded.raw"]);
    return await readFile(join(folder, "decoded.raw"));
  } catch (error) {
    throw studio.stopped ? error : unusable(kind, error);
  }
}

function unusable(kind: MediaKind, cause?: unknown): InputError {
  const name = kind === "clip" ? "video" : kind;
  const message = `The ${name} cannot be parsed or its format is unsupported.`;
  return new InputError("input_unusable", message, { cause });
}
