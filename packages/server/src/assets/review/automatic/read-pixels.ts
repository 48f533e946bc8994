import { decode, ImageError } from "../../../media/image/decode.ts";

/** Rows of red, green and blue, a byte each. */
export interface Pixels {
  data: Uint8Array;
  width: number;
  height: number;
}

/**
 * Returns the pixels of an image, small enough to judge: one view, or two where it is transparent. Throws
 * ImageError if it is not an image. The image is given by its bytes or as a local file.
 */
export async function readPixels(image: Buffer | string): Promise<Pixels[]> {
  const { facts, parts } = await decode({ kind: "views" }, image);
  return facts.sides.map(({ width, height }, at) => {
    const data = parts[at];
    if (data?.length !== 3 * width * height) throw new ImageError("a view is not whole");
    return { data, width, height };
  });
}
