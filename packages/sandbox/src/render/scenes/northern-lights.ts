import type { Image } from "../video/paint.ts";
import { mix, type Palette } from "../video/palettes.ts";
import { between, blend, fillBelow, framesOf, ramp, transparent } from "./draw.ts";
import { plant } from "./firs.ts";
import { ease, ridged, wave } from "./noise.ts";
import {
  distance,
  type Layer,
  lay,
  loopOf,
  type PaintScene,
  paintSky,
  type Stage,
  softly,
} from "./stage.ts";

const loopFrames = 96;
const shore = 0.7;

interface Curtain {
  base: number;
  swing: number;
  tall: number;
  start: number;
  cycles: number;
}

/** Curtains of light over a lake that mirrors them. */
export const paintNorthernLights: PaintScene = (stage) => {
  const { palette, width, height } = stage;
  const below = [
    mix(palette.skyMiddle, palette.ground, 0.35),
    mix(palette.skyTop, palette.ground, 0.5),
  ] as const;
  const dark = { ...palette, skyLow: mix(palette.skyLow, palette.skyTop, 0.55), starry: true };
  const sky = paintSky({ ...stage, palette: dark }, { horizon: shore, below, stars: 1.4 });
  const place = { x: 0, y: 0, width, height, detail: softly(stage, 160) };
  return [
    sky,
    lay(stage, "lights", { ...place, framesPerSecond: 24 }, (paintedWidth, paintedHeight) => {
      const image = transparent(
        paintedWidth,
        paintedHeight,
        palette.accent,
        loopOf(stage, loopFrames),
      );
      const curtains = hang(stage);
      for (const [frame, view] of framesOf(image).entries())
        for (const curtain of curtains) paintCurtain(view, curtain, frame / loopFrames, palette);
      return image;
    }),
    coast(stage, "peaks", { rise: 120, tree: 0, nearness: 0.62 }),
    coast(stage, "firs", { rise: 34, tree: 62, nearness: 0.96 }),
  ];
};

function hang({ random }: Stage): Curtain[] {
  return [0.24, 0.36, 0.5].map((base, at) => ({
    base: base + (random() - 0.5) * 0.08,
    swing: between(random, 0.04, 0.09),
    tall: between(random, 0.26, 0.4),
    start: random(),
    cycles: at === 1 ? -1 : 1,
  }));
}

function paintCurtain(image: Image, curtain: Curtain, turn: number, palette: Palette) {
  const { width, height } = image;
  const { base, swing, tall, start, cycles } = curtain;
  const water = Math.floor(height * shore);
  const shades = Array.from({ length: 33 }, (_, at) =>
    ramp([mix(palette.accent, palette.light, 0.25), palette.accent, palette.second], at / 32),
  );
  for (let x = 0; x < width; x++) {
    const across = x / width;
    const bend =
      wave(across * 0.9 + start + cycles * turn) + 0.5 * wave(across * 2.1 - start + turn);
    const foot = (base + swing * bend) * height;
    const ray =
      0.55 +
      0.3 * wave(across * 7 + start * 3 + cycles * 2 * turn) +
      0.15 * wave(across * 17 - 3 * turn);
    const strength =
      0.78 * ray * (0.35 + 0.65 * ease(0.5 + 0.5 * wave(across * 0.7 + start * 2 - turn)));
    const reach = tall * height * (0.7 + 0.3 * ray);
    const light = (y: number, row: number, share: number) => {
      const up = (foot - y) / reach;
      const dense = up < 0 ? ease(1 + (up * reach) / 4) : Math.max(0, 1 - up) ** 1.7;
      const shade = shades[Math.floor(Math.min(1, Math.max(0, up)) * 32)] ?? palette.accent;
      blend(image, x, row, shade, strength * dense * share);
    };
    for (let y = Math.max(0, Math.floor(foot - reach)); y < Math.min(water, foot + 5); y++)
      light(y, y, 1);
    for (let y = water; y < height; y++) light(water - (y - water) / 0.62, y, 0.36);
  }
}

interface CoastPlan {
  rise: number;
  tree: number;
  nearness: number;
}

/** A dark shore with its mirror image below it. */
function coast(stage: Stage, name: string, { rise, tree, nearness }: CoastPlan): Layer {
  const { palette, random, unit, width, height } = stage;
  const start = random() * 100;
  const tall = (rise + tree) * unit;
  const place = { x: 0, y: Math.round(height * shore - tall), width, height: tall * 1.6 };
  const colour = distance({ ...palette, skyLow: palette.skyMiddle }, nearness);
  return lay(stage, name, place, (paintedWidth, paintedHeight, u) => {
    const image = transparent(paintedWidth, paintedHeight, colour);
    const ground = Math.round((rise + tree) * u);
    const line = Float64Array.from({ length: paintedWidth }, (_, x) => {
      const slope = tree > 0 ? ease(Math.abs(x / paintedWidth - 0.5) * 2.2) : 0.75;
      return ground - rise * u * slope * ridged(start + x / (330 * u), 5, tree > 0 ? 2 : 5) - 2 * u;
    });
    fillBelow(image, line, () => colour);
    image.bytes.fill(Buffer.from([...colour.map(Math.round), 0]), ground * paintedWidth * 4);
    if (tree > 0) plant(image, line, tree * u, colour, random);
    image.bytes.fill(Buffer.from([...colour.map(Math.round), 0]), ground * paintedWidth * 4);
    for (let y = ground; y < paintedHeight; y++) {
      const from = ground - 1 - Math.floor((y - ground) * 1.5);
      if (from < 0) break;
      for (let x = 0; x < paintedWidth; x++) {
        const seen = image.bytes[(from * paintedWidth + x) * 4 + 3] ?? 0;
        image.bytes[(y * paintedWidth + x) * 4 + 3] =
          seen * 0.55 * (1 - (y - ground) / (paintedHeight - ground));
      }
    }
    return image;
  });
}
