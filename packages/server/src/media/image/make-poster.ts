import { openImage } from "./open-image.ts";
import { thumbhashOf } from "./thumbhash.ts";

/** Large enough for a tile of a gallery: about 20 KB. */
const sideMax = 480;
const quality = 75;
const thumbSideMax = 64;
const secondsMax = 10;
/** Of 255: what the codec makes of one colour. */
const blankSpreadMax = 12;

export interface PosterImage {
  /** WebP. */
  bytes: Buffer;
  /** In base64. */
  thumbhash: string;
  /** One colour all over, as before a video fades in. */
  isBlank: boolean;
}

/** A small copy of an image, from bytes or a local file; throws if there is none. */
export async function makePoster(image: Buffer | string): Promise<PosterImage> {
  const bytes = await openImage(image)
    .timeout({ seconds: secondsMax })
    .autoOrient()
    .resize({ width: sideMax, height: sideMax, fit: "inside", withoutEnlargement: true })
    .webp({ quality, effort: 2 })
    .toBuffer();
  const { data, info } = await openImage(bytes)
    .resize({ width: thumbSideMax, height: thumbSideMax, fit: "inside", withoutEnlargement: true })
    .flatten({ background: "white" })
    .toColourspace("srgb")
    .raw()
    .toBuffer({ resolveWithObject: true });
  const hash = thumbhashOf(data, info.width, info.height);
  const thumbhash = Buffer.from(hash).toString("base64");
  return { bytes, thumbhash, isBlank: isBlank(data, info.channels) };
}

function isBlank(pixels: Uint8Array, channels: number): boolean {
  const first = pixels.subarray(0, channels);
  return pixels.every(
    (value, at) => Math.abs(value - (first[at % channels] ?? 0)) <= blankSpreadMax,
  );
}
