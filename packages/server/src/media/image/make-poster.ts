import { rgbaToThumbHash } from "thumbhash";
import { decode, ImageError } from "./decode.ts";
import { printOfPixels } from "./print.ts";

export interface PosterImage {
  /** WebP. */
  bytes: Buffer;
  /** In base64. */
  thumbhash: string;
  /** Null if it has too little structure for one. */
  print: string | null;
  /** One colour all over, as before a video fades in. */
  isBlank: boolean;
}

const channels = 4;
/** The maximum spread, out of 255, that the codec adds to an image of one colour. */
const blankSpreadMax = 12;

/** A small copy of an image, from bytes or a local file; throws ImageError if there is none. */
export async function makePoster(image: Buffer | string): Promise<PosterImage> {
  const { facts, parts } = await decode({ kind: "poster" }, image);
  const { width, height } = facts.thumb;
  const [bytes, pixels] = parts;
  if (bytes === undefined || pixels?.length !== channels * width * height)
    throw new ImageError("a poster is not whole");
  const thumbhash = Buffer.from(rgbaToThumbHash(width, height, pixels)).toString("base64");
  const print = printOfPixels(width, height, pixels);
  return { bytes, thumbhash, print, isBlank: isBlank(pixels) };
}

function isBlank(pixels: Uint8Array): boolean {
  const first = pixels.subarray(0, channels);
  return pixels.every(
    (value, at) => Math.abs(value - (first[at % channels] ?? 0)) <= blankSpreadMax,
  );
}
