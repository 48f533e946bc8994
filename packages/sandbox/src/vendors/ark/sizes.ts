export const resolutions = ["480p", "720p", "1080p", "4k"] as const;
export const ratios = ["16:9", "4:3", "1:1", "3:4", "9:16", "21:9"] as const;

export type Resolution = (typeof resolutions)[number];
export type Ratio = (typeof ratios)[number];

export interface Size {
  width: number;
  height: number;
}

/** Ark's own table: rows by resolution, columns in the order of `ratios`. */
const table: Record<Resolution, readonly string[]> = {
  "480p": ["864x496", "752x560", "640x640", "560x752", "496x864", "992x432"],
  "720p": ["1280x720", "1112x834", "960x960", "834x1112", "720x1280", "1470x630"],
  "1080p": ["1920x1080", "1664x1248", "1440x1440", "1248x1664", "1080x1920", "2206x946"],
  "4k": ["3840x2160", "3326x2494", "2880x2880", "2494x3326", "2160x3840", "4398x1886"],
};

export function sizeOf(resolution: Resolution, ratio: Ratio): Size {
  const [width = 0, height = 0] = (table[resolution][ratios.indexOf(ratio)] ?? "")
    .split("x")
    .map(Number);
  return { width, height };
}

/** The ratio that an image of that size loses the least by, measured as a proportion. */
export function nearestRatio({ width, height }: Size): Ratio {
  const distance = (ratio: Ratio) => {
    const [across = 1, down = 1] = ratio.split(":").map(Number);
    return Math.abs(Math.log((width * down) / (height * across)));
  };
  return ratios.reduce((best, ratio) => (distance(ratio) < distance(best) ? ratio : best));
}
