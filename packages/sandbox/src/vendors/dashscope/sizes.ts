export const resolutions = ["720P", "1080P"] as const;
export type Resolution = (typeof resolutions)[number];

/** The ratios that both versions take. */
export const ratios = ["16:9", "9:16", "1:1", "4:3", "3:4"] as const;
/** The ratios that only version 1.1 takes. */
export const laterRatios = ["4:5", "5:4", "21:9", "9:21"] as const;
export type Ratio = (typeof ratios)[number] | (typeof laterRatios)[number];

export interface Size {
  width: number;
  height: number;
}

const shortSides: Record<Resolution, number> = { "720P": 720, "1080P": 1_080 };

export function shortSideOf(resolution: Resolution): number {
  return shortSides[resolution];
}

export function shapeOf(ratio: Ratio): Size {
  const [width = 1, height = 1] = ratio.split(":").map(Number);
  return { width, height };
}

/** The video's size: the shape of a ratio or of an image, with the short side that was asked for. */
export function sizeOf(resolution: Resolution, shape: Size): Size {
  const scale = shortSideOf(resolution) / Math.min(shape.width, shape.height);
  return { width: even(shape.width * scale), height: even(shape.height * scale) };
}

/** 4:2:0 needs even sides. */
function even(length: number): number {
  return 2 * Math.round(length / 2);
}
