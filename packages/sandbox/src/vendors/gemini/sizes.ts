export const aspectRatios = [
  "1:1",
  "2:3",
  "3:2",
  "3:4",
  "4:3",
  "4:5",
  "5:4",
  "9:16",
  "16:9",
  "21:9",
] as const;
export const imageSizes = ["1K", "2K", "4K"] as const;

export type AspectRatio = (typeof aspectRatios)[number];
export type ImageSize = (typeof imageSizes)[number];

/** Width and height at 1K; the larger sizes are exactly twice and four times that. */
const sizesAt1K: Record<AspectRatio, readonly [number, number]> = {
  "1:1": [1_024, 1_024],
  "2:3": [848, 1_264],
  "3:2": [1_264, 848],
  "3:4": [896, 1_200],
  "4:3": [1_200, 896],
  "4:5": [928, 1_152],
  "5:4": [1_152, 928],
  "9:16": [768, 1_376],
  "16:9": [1_376, 768],
  "21:9": [1_584, 672],
};
const factors: Record<ImageSize, number> = { "1K": 1, "2K": 2, "4K": 4 };

export function sizeOf(imageSize: ImageSize, ratio: AspectRatio) {
  const [width, height] = sizesAt1K[ratio];
  const factor = factors[imageSize];
  return { width: width * factor, height: height * factor };
}
