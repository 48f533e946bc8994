import { openImage } from "./open-image.js";

/** Large enough for a tile of a gallery: about 20 KB. */
const sideMax = 480;
const quality = 75;
const thumbSideMax = 64;
const secondsMax = 10;

/**
 * A small copy of an image, as WebP, and a tiny one of that, as pixels.
 *
 * @param {Buffer} image
 * @returns {Promise<import("./protocol.ts").Answer<"poster">>}
 */
export async function makePoster(image) {
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
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { facts: { thumb: { width: info.width, height: info.height } }, parts: [bytes, data] };
}
