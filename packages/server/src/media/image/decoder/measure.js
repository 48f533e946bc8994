import { decodeImage, openImage } from "./open-image.js";

/**
 * Decodes it completely: a truncated file, or one with other content, is not an image.
 *
 * @param {Buffer} image
 * @returns {Promise<import("./protocol.ts").Answer<"measure">>}
 */
export async function measure(image) {
  const { format, width, height, orientation = 1, pages = 1 } = await openImage(image).metadata();
  await decodeImage(image);
  const sides = orientation >= 5 ? { width: height, height: width } : { width, height };
  return { facts: { contentType: `image/${format}`, pages, ...sides }, parts: [] };
}
