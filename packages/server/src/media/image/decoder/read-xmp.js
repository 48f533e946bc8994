import { openImage } from "./open-image.js";

/** Packets of editors have tens of kilobytes at most; a label is in the first of them. */
const packetBytesMax = 64 * 1024;

/**
 * The XMP packet of an image, which is not decoded.
 *
 * @param {Buffer} image
 * @returns {Promise<import("./protocol.ts").Answer<"xmp">>}
 */
export async function readXmp(image) {
  const { xmp } = await openImage(image).metadata();
  const isUsual = xmp !== undefined && xmp.length <= packetBytesMax;
  return { facts: {}, parts: isUsual ? [xmp] : [] };
}
