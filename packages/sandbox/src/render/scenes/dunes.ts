import type { Image } from "../video/paint.ts";
import { mix, type Palette, type Rgb } from "../video/palettes.ts";
import { between, framesOf, limb, type Point, transparent } from "./draw.ts";
import { clouded, ease, noise } from "./noise.ts";
import {
  clouds,
  type Layer,
  lay,
  loopOf,
  type PaintScene,
  paintSky,
  type Stage,
  slide,
} from "./stage.ts";

interface DunePlan {
  top: number;
  rise: number;
  wave: number;
  speed: number;
  haze: number;
}

const dunes: readonly DunePlan[] = [
  { top: 0.54, rise: 70, wave: 420, speed: 4, haze: 0.62 },
  { top: 0.62, rise: 110, wave: 470, speed: 9, haze: 0.38 },
  { top: 0.74, rise: 130, wave: 560, speed: 18, haze: 0.16 },
  { top: 0.9, rise: 110, wave: 760, speed: 36, haze: 0 },
];

/** Dunes with a lit and a dark side, and a caravan on the crest of one. */
export const paintDunes: PaintScene = (stage) => {
  const { palette, random, width, height } = stage;
  const at = [width * between(random, 0.2, 0.8), height * between(random, 0.26, 0.4)] as const;
  const sky = paintSky(stage, { horizon: 0.62, light: { at, diameter: 128 }, glow: 1.1 });
  const dust = mix(palette.skyLow, palette.light, 0.4);
  const layers = dunes.map((plan, number) => duneLayer(stage, plan, number));
  const haze = { top: height * 0.44, height: height * 0.3, speed: -16, cover: 0.5, size: 70 };
  layers.splice(2, 0, clouds(stage, "dust", { ...haze, colour: dust }));
  layers.splice(3, 0, caravan(stage));
  return [sky, ...layers];
};

/** Sand takes its colour from the light that falls on it. */
function sandOf({ skyLow, skyMiddle, ground, light }: Palette): { lit: Rgb; dark: Rgb } {
  const lit = mix(mix(skyLow, [226, 152, 92], 0.42), light, 0.12);
  return { lit, dark: mix(mix(ground, skyMiddle, 0.38), [120, 60, 44], 0.22) };
}

function duneLayer(stage: Stage, plan: DunePlan, number: number): Layer {
  const { palette, random, unit, height } = stage;
  const start = random() * 1_000;
  const top = Math.round(height * plan.top - (plan.rise / 2) * unit);
  const { lit, dark } = sandOf(palette);
  const [bright, dim] = [
    mix(lit, palette.skyLow, plan.haze),
    mix(dark, palette.skyLow, plan.haze * 0.86),
  ];
  const place = { speed: plan.speed, top, height: height - top };
  return slide(stage, `dune${number}`, place, (width, paintedHeight, u) => {
    const image = transparent(width, paintedHeight, bright);
    const line = Float64Array.from(
      { length: width },
      (_, x) => duneLine(start + x / (plan.wave * u), number) * plan.rise * u,
    );
    shadeDune(image, line, bright, dim, plan.rise * u, number);
    return image;
  });
}

/** Long slopes on the one side, short ones on the other. */
function duneLine(x: number, seed: number): number {
  const skewed = x + 0.16 * Math.sin(x * 2 * Math.PI * 0.8);
  const crest = 1 - Math.abs(2 * noise(skewed, 0.5, seed * 17) - 1);
  return 1 - crest * 0.8 - 0.2 * clouded(x * 0.7, 3, seed, 2);
}

function shadeDune(
  image: Image,
  line: Float64Array,
  bright: Rgb,
  dim: Rgb,
  rise: number,
  seed: number,
) {
  const { width, height, bytes } = image;
  const reach = Math.max(2, Math.round(rise * 0.1));
  const slope = line.map(
    (y, x) => (line[Math.min(width - 1, x + reach)] ?? y) - (line[Math.max(0, x - reach)] ?? y),
  );
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const deep = y + 1 - (line[x] ?? 0);
      const at = (y * width + x) * 4;
      if (deep <= 0) continue;
      // the edge between light and shadow runs down the slope at an angle
      const from = Math.min(
        width - 1,
        Math.floor(x + deep * 0.55 + rise * 0.05 * Math.sin(deep / (rise * 0.22) + seed)),
      );
      const facing = ease(0.5 - ((slope[from] ?? 0) / reach) * 0.9);
      const soft = Math.min(1, deep / (rise * 1.5));
      const light = facing * (1 - soft * 0.45) + soft * 0.22;
      const ripple = 0.022 * Math.sin((deep * 6 + x * 0.9) / (rise * 0.06)) * (1 - soft);
      const share = Math.min(1, Math.max(0, light + ripple));
      bytes[at] = dim[0] + (bright[0] - dim[0]) * share;
      bytes[at + 1] = dim[1] + (bright[1] - dim[1]) * share;
      bytes[at + 2] = dim[2] + (bright[2] - dim[2]) * share;
      bytes[at + 3] = Math.min(1, deep) * 255;
    }
  }
}

const strideFrames = 24;

function caravan(stage: Stage): Layer {
  const { palette, random, unit } = stage;
  const count = 3 + Math.floor(random() * 3);
  const from = Math.round(stage.width * between(random, 0.12, 0.42));
  const path = {
    x: `${from}+${(15 * unit).toFixed(3)}*t`,
    y: Math.round(stage.height * 0.615),
  };
  const size = { width: (count * 66 + 20) * unit, height: 64 * unit };
  const colour = mix(palette.ground, palette.skyMiddle, 0.12);
  return lay(stage, "caravan", { ...path, ...size, framesPerSecond: 20 }, (width, height, u) => {
    const image = transparent(width, height, colour, loopOf(stage, strideFrames, 20));
    for (const [frame, view] of framesOf(image).entries()) {
      for (let camel = 0; camel < count; camel++) {
        const turn = frame / strideFrames + camel * 0.37;
        paintCamel(view, [(10 + camel * 66) * u, 2 * u], 58 * u, turn, colour, camel === count - 1);
      }
    }
    return image;
  });
}

function paintCamel(
  image: Image,
  [left, top]: Point,
  size: number,
  turn: number,
  colour: Rgb,
  isLed: boolean,
) {
  const bob = 0.012 * Math.sin(4 * Math.PI * turn);
  const at = (x: number, y: number): Point => [left + x * size, top + (y + bob) * size];
  const part = (a: Point, b: Point, thick: readonly [number, number]) =>
    limb(image, a, b, [thick[0] * size, thick[1] * size], colour);
  part(at(0.24, 0.46), at(0.62, 0.47), [0.2, 0.2]);
  part(at(0.42, 0.36), at(0.43, 0.27), [0.2, 0.07]);
  part(at(0.64, 0.46), at(0.8, 0.44), [0.13, 0.09]);
  part(at(0.8, 0.44), at(0.87, 0.2), [0.09, 0.065]);
  part(at(0.86, 0.19), at(0.98, 0.22), [0.085, 0.05]);
  part(at(0.15, 0.44), at(0.11, 0.6), [0.03, 0.02]);
  for (const [x, lag] of [
    [0.2, 0],
    [0.28, 0.5],
    [0.58, 0.25],
    [0.66, 0.75],
  ] as const) {
    const swing = 0.1 * Math.sin(2 * Math.PI * (turn + lag));
    const lift = Math.max(0, Math.cos(2 * Math.PI * (turn + lag))) * 0.05;
    part(at(x, 0.5), at(x + swing * 0.5, 0.74), [0.075, 0.045]);
    part(at(x + swing * 0.5, 0.74), at(x + swing, 0.98 - lift), [0.045, 0.045]);
  }
  if (isLed) {
    part(at(0.42, 0.24), at(0.43, 0.08), [0.12, 0.1]);
    part(at(0.435, 0.02), at(0.435, 0.021), [0.1, 0.1]);
  }
}
