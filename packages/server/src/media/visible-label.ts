import { fileURLToPath } from "node:url";

/**
 * The visible label says `AI生成 · AI-generated`, white on a dark, translucent box. It is a PNG, so that no
 * font is needed: a confined ffmpeg has none, and fonts with Chinese characters are large. It lies beside the
 * decoder of images, which sees no other folder.
 */
export const visibleLabelPath = fileURLToPath(
  new URL("./image/decoder/visible-label.png", import.meta.url),
);
const labelSides = { width: 786, height: 114 };

/**
 * Shares of the short side. GB 45438 asks for text of 5 % of it: the lowest letters of the Chinese text are
 * 63 % of the label's height.
 */
const heightShare = 0.08;
const marginShare = 0.03;

/** The time for which a video shows its label: GB 45438 asks for 2 s, and a frame more covers rounding. */
export const visibleSecondsMin = 2;
export const visibleSeconds = 2.04;

export interface LabelPlace {
  width: number;
  height: number;
  /** The distance to the right and to the lower edge. */
  margin: number;
}

/** The place of the label in the lower right corner. Its numbers are even, as 4:2:0 needs them. */
export function placeLabel(frame: { width: number; height: number }): LabelPlace {
  const side = Math.min(frame.width, frame.height);
  const height = Math.min(even(side * heightShare), frame.height);
  const width = Math.min(even((height * labelSides.width) / labelSides.height), frame.width);
  const room = Math.min(frame.width - width, frame.height - height);
  return { width, height, margin: Math.min(even(side * marginShare), room) };
}

/**
 * Returns the filter graph that draws the label after the filters of `chain`, until a time of its frames in
 * seconds. `tick` is their time base, which the graph keeps.
 */
export function drawLabelAfter(
  chain: readonly string[],
  label: {
    path: string;
    place: LabelPlace;
    tick: { over: number; under: number };
    untilSeconds: number;
    /** Of the result. Left open, ffmpeg would choose 4:4:4, which few players show. */
    pixelFormat: "yuv420p" | "yuv420p10le";
  },
): string {
  const { path, place, tick, untilSeconds, pixelFormat } = label;
  const blending = pixelFormat === "yuv420p" ? "yuv420" : "yuv420p10";
  const { width, height, margin } = place;
  const settb = `settb=${tick.over}/${tick.under}`;
  const source = `movie=filename=${escapePath(path)}:format_name=png_pipe`;
  const position = `x=main_w-overlay_w-${margin}:y=main_h-overlay_h-${margin}`;
  return [
    `${source},format=rgba,scale=${width}:${height}:flags=area,${settb}[label]`,
    `[in]${chain.length === 0 ? "null" : chain.join(",")}[image]`,
    `[image][label]overlay=${position}:format=${blending}:enable='lt(t,${untilSeconds.toFixed(6)})',${settb},format=${pixelFormat}[out]`,
  ].join(";");
}

/** Once for the value of the option, once for the graph around it. */
function escapePath(path: string): string {
  return path.replaceAll(/[\\':]/g, "\\$&").replaceAll(/[\\'[\],;]/g, "\\$&");
}

function even(pixels: number): number {
  return 2 * Math.ceil(pixels / 2);
}
