import { fileURLToPath } from "node:url";
import { openImage } from "./open-image.js";

const labelPath = fileURLToPath(new URL("./visible-label.png", import.meta.url));
const quality = 95;
const secondsMax = 60;

/**
 * The image upright, with the visible label, in its own format and with its metadata.
 *
 * @param {Buffer} image
 * @param {import("./protocol.ts").Place} place
 * @returns {Promise<import("./protocol.ts").Answer<"label">>}
 */
export async function drawLabel(image, { left, top, width, height }) {
  const { format } = await openImage(image).metadata();
  const input = await openImage(labelPath).resize({ width, height, fit: "fill" }).png().toBuffer();
  const drawn = openImage(image)
    .timeout({ seconds: secondsMax })
    .autoOrient()
    .keepMetadata()
    .composite([{ input, left, top }]);
  return { facts: {}, parts: [await encode(drawn, format).toBuffer()] };
}

/**
 * @param {import("sharp").Sharp} image
 * @param {string | undefined} format
 */
function encode(image, format) {
  switch (format) {
    case "png":
      return image.png();
    case "jpeg":
      return image.jpeg({ quality });
    case "webp":
      return image.webp({ quality });
    default:
      throw new Error(`no visible label for ${format}`);
  }
}
