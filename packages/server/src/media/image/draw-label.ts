import { placeLabel } from "../visible-label.ts";
import { decode } from "./decode.ts";

/**
 * Draws the visible label into an image, which is encoded again in its format; its metadata stays. The sides
 * are as displayed. Throws ImageError.
 */
export async function drawOnImage(
  image: Buffer | string,
  sides: { width: number; height: number },
): Promise<Buffer> {
  const { width, height, margin } = placeLabel(sides);
  const place = {
    width,
    height,
    left: sides.width - width - margin,
    top: sides.height - height - margin,
  };
  const { parts } = await decode({ kind: "label", place }, image);
  return parts[0] ?? Buffer.alloc(0);
}
