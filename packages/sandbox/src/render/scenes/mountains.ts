import { between } from "./draw.ts";
import { mix } from "./paint.ts";
import { type RidgePlan, ridge } from "./ridge.ts";
import { clouds, type Layer, type PaintScene, paintSky } from "./stage.ts";

/** The ranges from far to near: paler and slower, then darker and faster. */
const ranges: readonly RidgePlan[] = [
  { name: "range0", top: 0.4, rise: 210, wave: 380, speed: 5, nearness: 0.2, snowy: true },
  { name: "range1", top: 0.53, rise: 170, wave: 330, speed: 10, nearness: 0.36, snowy: true },
  { name: "range2", top: 0.64, rise: 140, wave: 300, speed: 18, nearness: 0.54 },
  { name: "range3", top: 0.74, rise: 110, wave: 330, speed: 30, nearness: 0.72, trees: 13 },
  { name: "range4", top: 0.85, rise: 70, wave: 420, speed: 52, nearness: 0.95, trees: 44 },
];

/** Ranges behind each other with mist in the valleys, and a low sun. */
export const paintMountains: PaintScene = (stage) => {
  const { palette, random, width, height } = stage;
  const at = [width * between(random, 0.24, 0.76), height * between(random, 0.2, 0.34)] as const;
  const sky = paintSky(stage, { horizon: 0.72, light: { at, diameter: 92 }, glow: 1.1 });
  const mist = mix(palette.skyLow, palette.light, 0.35);
  const layers: Layer[] = [];
  for (const [number, range] of ranges.entries()) {
    layers.push(ridge(stage, { ...range, isJagged: true }));
    if (number !== 1 && number !== 3) continue;
    const top = height * (range.top + 0.02);
    const plan = { top, height: height * 0.26, speed: -12, cover: 0.56, size: 90 };
    const colour = mix(mist, palette.ground, number * 0.05);
    layers.push(clouds(stage, `mist${number}`, { ...plan, colour }));
  }
  return [sky, ...layers];
};
