import type { Image, Random } from "../video/paint.ts";
import type { Rgb } from "../video/palettes.ts";
import { polygon } from "./draw.ts";

/** Firs along a line, in clumps. */
export function plant(
  image: Image,
  line: ArrayLike<number>,
  tall: number,
  colour: Rgb,
  random: Random,
) {
  for (let x = 0; x < image.width; x += tall * (0.12 + random() ** 3 * 1.5)) {
    const ground = (line[Math.floor(x)] ?? 0) + tall * 0.08;
    const high = tall * (0.5 + random() * 0.5);
    const steps = tall > 20 ? 6 : 3;
    for (let step = 0; step < steps; step++) {
      const y = ground - high * (1 - (step + 1) / steps) * 0.86;
      const half = high * 0.19 * ((step + 1.3) / (steps + 0.3));
      const peak = y - (high / steps) * 1.7;
      polygon(
        image,
        [
          [x, peak],
          [x + half, y],
          [x - half, y],
        ],
        colour,
      );
    }
  }
}
