import { createHash } from "node:crypto";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { InputError } from "../../kit/input-error.ts";
import { untrustedInput } from "../video/media-formats.ts";
import type { Image } from "../video/paint.ts";
import { runFfmpeg, type Studio } from "../video/run-ffmpeg.ts";
import { formatOf } from "./image-format.ts";

/** An input image that ffmpeg could read. */
export interface Reference {
  bytes: Buffer;
  /** Names the bytes, so that a stored image is found by what it shows. */
  digest: string;
  /** The image made small. */
  thumbnail: Image;
}

const thumbnailSide = 480;

/** Reads an input image, counted from 1, to its last byte. Throws InputError. */
export async function readReference(
  studio: Studio,
  bytes: Buffer,
  number: number,
): Promise<Reference> {
  const unusable = (cause?: unknown) =>
    new InputError("input_unusable", `image ${number} is damaged or no PNG, JPEG or WebP`, {
      cause,
    });
  if (!formatOf(bytes)) throw unusable();
  const folder = await mkdtemp(join(studio.workDir, "reference-"));
  try {
    const length = (name: string) => `'max(1,round(${name}*min(1,${thumbnailSide}/max(iw,ih))))'`;
    const filters = `scale=${length("iw")}:${length("ih")}:flags=area,setsar=1,format=rgb24`;
    const output = ["-c:v", "ppm", "-f", "image2", "-update", "1", "thumbnail.ppm"];
    await decodeFirstFrame(studio, folder, bytes, [...["-vf", filters], ...output]);
    const thumbnail = readPpm(await readFile(join(folder, "thumbnail.ppm")));
    return { bytes, digest: createHash("sha256").update(bytes).digest("hex"), thumbnail };
  } catch (error) {
    throw studio.stopped ? error : unusable(error);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Cuts an untrusted image to the wanted shape around its middle, then scales it. */
export async function decodeToFit(
  studio: Studio,
  folder: string,
  { bytes }: Reference,
  { width, height }: { width: number; height: number },
  outputName: string,
): Promise<void> {
  // cut before scaling: an image of one column scaled to the full width would fill the memory
  const cut = `crop='max(1,min(iw,ih*${width}/${height}))':'max(1,min(ih,iw*${height}/${width}))'`;
  const filters = `${cut},scale=${width}:${height}:flags=bicubic,setsar=1,format=rgb24`;
  await decodeFirstFrame(studio, folder, bytes, ["-vf", filters, "-f", "rawvideo", outputName]);
}

async function decodeFirstFrame(studio: Studio, folder: string, bytes: Buffer, output: string[]) {
  const input = untrustedInput("image", bytes);
  if (!input) throw new Error("no demuxer takes these bytes");
  await writeFile(join(folder, "input"), bytes);
  const strict = ["-xerror", "-err_detect", "explode"];
  const quiet = ["-hide_banner", "-nostdin", "-loglevel", "error", "-y", "-threads", "1"];
  await runFfmpeg(studio, folder, [...quiet, ...strict, ...input, "-frames:v", "1", ...output]);
}

/** A PPM is `P6`, width, height and 255 in decimal, and the pixels. */
function readPpm(file: Buffer): Image {
  const header = /^P6\s(\d+)\s(\d+)\s255\s/.exec(file.subarray(0, 40).toString("latin1"));
  if (!header) throw new Error("ffmpeg wrote no PPM");
  const [width, height] = [Number(header[1]), Number(header[2])];
  return { width, height, pixelFormat: "rgb24", bytes: file.subarray(header[0].length) };
}
