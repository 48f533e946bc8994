import type { Image } from "../video/paint.ts";
import { mix, type Rgb } from "../video/palettes.ts";
import { between, fillBelow, transparent } from "./draw.ts";
import { plant } from "./firs.ts";
import { clouded, ease, ridged } from "./noise.ts";
import {
  birds,
  clouds,
  distance,
  type Layer,
  type PaintScene,
  paintSky,
  type Stage,
  slide,
} from "./stage.ts";

interface Range {
  top: number;
  rise: number;
  wave: number;
  speed: number;
  nearness: number;
  trees: number;
}

/** From far to near: paler and slower, then darker and faster. */
const ranges: readonly Range[] = [
  { top: 0.4, rise: 210, wave: 380, speed: 5, nearness: 0.2, trees: 0 },
  { top: 0.53, rise: 170, wave: 330, speed: 10, nearness: 0.36, trees: 0 },
  { top: 0.64, rise: 140, wave: 300, speed: 18, nearness: 0.54, trees: 0 },
  { top: 0.74, rise: 110, wave: 330, speed: 30, nearness: 0.72, trees: 13 },
  { top: 0.85, rise: 70, wave: 420, speed: 52, nearness: 0.95, trees: 44 },
];

/** Ranges behind each other with mist in the valleys, and a low sun. */
export const paintMountains: PaintScene = (stage) => {
  const { palette, random, width, height } = stage;
  const at = [width * between(random, 0.24, 0.76), height * between(random, 0.2, 0.34)] as const;
  const sky = paintSky(stage, { horizon: 0.72, light: { at, diameter: 92 }, glow: 1.1 });
  const mist = mix(palette.skyLow, palette.light, 0.35);
  const layers: Layer[] = [];
  for (const [number, range] of ranges.entries()) {
    layers.push(rangeLayer(stage, range, number));
    if (number !== 1 && number !== 3) continue;
    const top = height * (range.top + 0.02);
    const plan = { top, height: height * 0.26, speed: -12, cover: 0.56, size: 90 };
    layers.push(
      clouds(stage, `mist${number}`, { ...plan, colour: mix(mist, palette.ground, number * 0.05) }),
    );
  }
  layers.splice(2, 0, birds(stage, mix(palette.ground, palette.skyMiddle, 0.2), height * 0.24));
  return [sky, ...layers];
};

function rangeLayer(stage: Stage, range: Range, number: number): Layer {
  const { palette, random, unit, height } = stage;
  const start = random() * 1_000;
  const headroom = (range.rise + range.trees) * unit;
  const top = Math.round(height * range.top + (range.rise * unit) / 2 - headroom);
  const crest = distance(palette, range.nearness);
  const foot = number === ranges.length - 1 ? palette.ground : mix(crest, palette.skyLow, 0.42);
  const place = { speed: range.speed, top, height: height - top };
  return slide(stage, `range${number}`, place, (paintedWidth, paintedHeight, u) => {
    const image = transparent(paintedWidth, paintedHeight, crest);
    const line = Float64Array.from({ length: paintedWidth }, (_, x) => {
      const peak = ridged(start + x / (range.wave * u), number * 11, range.trees > 20 ? 3 : 6);
      return (range.rise * (1 - peak) + range.trees) * u;
    });
    const deep = paintedHeight / ((range.rise * 1.1 + range.trees) * u);
    fillBelow(image, line, (at) => mix(crest, foot, ease(at * deep - 0.1)));
    if (number < 2)
      snow(image, line, mix(palette.light, palette.skyLow, 0.3), range.rise * u, start);
    if (range.trees > 0) plant(image, line, range.trees * u, crest, random);
    return image;
  });
}

function snow(image: Image, line: Float64Array, colour: Rgb, rise: number, start: number) {
  const { width, height, bytes } = image;
  for (let x = 0; x < width; x++) {
    const top = line[x] ?? 0;
    const slope = (line[Math.min(width - 1, x + 3)] ?? top) - top;
    const deep =
      rise * 0.5 - top + (clouded(x / (rise * 0.07), 1, Math.floor(start), 3) - 0.5) * rise * 0.32;
    const lit = slope > 0 ? 0.38 : 0.85; // the sun stands on one side
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
