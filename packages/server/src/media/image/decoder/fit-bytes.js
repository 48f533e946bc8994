import { openImage } from "./open-image.js";

const encodeSecondsMax = 20;
/** Longest sides to try when a file is too large. Noise of 2048x2048 has about 3 MB as JPEG. */
const sidesMax = [4096, 3072, 2048];
const quality = 90;

/**
 * The image encoded again, with at most `sizeBytesMax` and, if it must be, smaller sides.
 *
 * @param {Buffer} image
 * @param {number} sizeBytesMax
 * @returns {Promise<import("./protocol.ts").Answer<"fit">>}
 */
export async function fitBytes(image, sizeBytesMax) {
  const { hasAlpha } = await openImage(image).metadata(); // reads the header only
  for (const side of sidesMax) {
    const smaller = openImage(image)
      .timeout({ seconds: encodeSecondsMax })
      .autoOrient() // the orientation tag does not survive
      .resize({ width: side, height: side, fit: "inside", withoutEnlargement: true });
    const bytes = await (hasAlpha
      ? smaller.webp({ quality, effort: 1 })
      : smaller.jpeg({ quality })
    ).toBuffer();
    if (bytes.length <= sizeBytesMax)
      return { facts: { contentType: hasAlpha ? "image/webp" : "image/jpeg" }, parts: [bytes] };
  }
  throw new Error(`cannot be reduced to ${sizeBytesMax} bytes`);
}

/**
 * A small image with a short side of so many pixels, as PNG. The long side is never rounded up.
 *
 * @param {Buffer} image
 * @param {number} shortSide
 * @returns {Promise<import("./protocol.ts").Answer<"scaleUp">>}
 */
export async function scaleUp(image, shortSide) {
  const { width, height, orientation = 1 } = await openImage(image).metadata();
  const [across, down] = orientation >= 5 ? [height, width] : [width, height];
  /** @param {number} side */
  const scaled = (side) => Math.floor((side * shortSide) / Math.min(across, down));
  const bytes = await openImage(image)
    .timeout({ seconds: encodeSecondsMax })
    .autoOrient()
    .resize({ width: scaled(across), height: scaled(down), fit: "fill" })
    .png()
    .toBuffer();
  return { facts: {}, parts: [bytes] };
}
