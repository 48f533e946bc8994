import { fillBelow, polygon, transparent } from "./draw.ts";
import { clouded, ease, ridged } from "./noise.ts";
import { type Image, mix, type Random, type Rgb } from "./paint.ts";
import { distance, type Layer, type Stage, slide } from "./stage.ts";

export interface RidgePlan {
  name: string;
  /** The middle of the crest, as a share of the height. */
  top: number;
  /** The height and width of the crest in units, and its trees. */
  rise: number;
  wave: number;
  trees?: number;
  /** Units a second. */
  speed: number;
  /** The distance, from 0, in the haze, to 1, in the foreground. */
  nearness: number;
  isJagged?: boolean;
  snowy?: boolean;
}

/** A range of mountains or hills that passes by; it fills the frame from its crest to the foot. */
export function ridge(stage: Stage, plan: RidgePlan): Layer {
  const { palette, random, unit, height } = stage;
  const { rise, trees = 0 } = plan;
  const start = Math.floor(random() * 1e6);
  const top = Math.round(height * plan.top - (rise / 2 + trees) * unit);
  const crest = distance(palette, plan.nearness);
  const foot = plan.nearness > 0.9 ? palette.ground : mix(crest, palette.skyLow, 0.36);
  const place = { speed: plan.speed, top, height: height - top };
  return slide(stage, plan.name, place, (width, paintedHeight, u) => {
    const image = transparent(width, paintedHeight, crest);
    const detail = trees > 20 ? 3 : 6;
    const line = Float64Array.from({ length: width }, (_, x) => {
      const along = x / (plan.wave * u);
      const depth = plan.isJagged
        ? 1 - ridged(along, start, detail)
        : clouded(along, 0.5, start, 2);
      return (rise * depth + trees) * u;
    });
    const deep = paintedHeight / ((rise * 1.3 + trees) * u);
    fillBelow(image, line, (at) => mix(crest, foot, ease(at * deep - 0.15)));
    if (plan.snowy) layCaps(image, line, mix(palette.light, palette.skyLow, 0.3), rise * u, start);
    if (trees > 0) plant(image, line, trees * u, crest, random);
    return image;
  });
}

/** Snow on the peaks, brighter where the crest rises towards the light. */
function layCaps(image: Image, line: Float64Array, colour: Rgb, rise: number, start: number) {
  const { width, height, bytes } = image;
  for (let x = 0; x < width; x++) {
    const top = line[x] ?? 0;
    const slope = (line[Math.min(width - 1, x + 3)] ?? top) - top;
    const edge = (clouded(x / (rise * 0.07), 1, start, 3) - 0.5) * rise * 0.32;
    const deep = rise * 0.5 - top + edge;
    const lit = slope > 0 ? 0.38 : 0.85;
    for (let y = Math.ceil(top); y < Math.min(height, top + deep); y++) {
      const at = (y * width + x) * 4;
      const share = lit * Math.min(1, (top + deep - y) / (rise * 0.06));
      for (let part = 0; part < 3; part++) {
        const before = bytes[at + part] ?? 0;
        bytes[at + part] = before + ((colour[part] ?? 0) - before) * share;
      }
    }
  }
}

/** Firs along a line, in clumps. */
function plant(image: Image, line: Float64Array, tall: number, colour: Rgb, random: Random) {
  for (let x = 0; x < image.width; x += tall * (0.12 + random() ** 3 * 1.5)) {
    const ground = (line[Math.floor(x)] ?? 0) + tall * 0.08;
    const high = tall * (0.5 + random() * 0.5);
    const steps = tall > 20 ? 6 : 3;
    for (let step = 0; step < steps; step++) {
      const y = ground - high * (1 - (step + 1) / steps) * 0.86;
      const half = high * 0.19 * ((step + 1.3) / (steps + 0.3));
      const peak = y - (high / steps) * 1.7;
      const branch = [
        [x, peak],
        [x + half, y],
        [x - half, y],
      ] as const;
      polygon(image, branch, colour);
    }
  }
}
