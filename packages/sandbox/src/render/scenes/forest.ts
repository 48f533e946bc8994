import type { Image } from "../video/paint.ts";
import { mix, type Palette, type Rgb } from "../video/palettes.ts";
import { between, glow, limb, opaque, type Point, ramp, shine, transparent } from "./draw.ts";
import { clouded, ease } from "./noise.ts";
import { type Layer, lay, type PaintScene, type Stage } from "./stage.ts";

const sheets = 5;

/** A forest of paper: sheets behind each other, each with its shadow on the next; a deer, fireflies. */
export const paintForest: PaintScene = (stage) => {
  const { palette, random, width, height } = stage;
  const glade: Point = [width * between(random, 0.4, 0.6), height * 0.5];
  const back = lay(stage, "glade", { x: 0, y: 0, width, height, detail: 0.5 }, (w, h, u) => {
    const image = opaque(w, h);
    const light = mix(palette.skyLow, palette.light, 0.45);
    image.bytes.fill(Buffer.from(mix(palette.skyLow, palette.skyMiddle, 0.3).map(Math.round)));
    const at: Point = [(glade[0] / width) * w, (glade[1] / height) * h];
    shine(image, at, 620 * u, light, 0.9);
    shine(image, at, 260 * u, palette.light, 0.9);
    return image;
  });
  const layers = Array.from({ length: sheets }, (_, number) => sheet(stage, number));
  const flies = Array.from({ length: 9 }, (_, number) => firefly(stage, number));
  return [back, ...layers.slice(0, 3), ...flies.slice(0, 5), ...layers.slice(3), ...flies.slice(5)];
};

function paperColour({ skyLow, skyMiddle, skyTop, ground }: Palette, nearness: number): Rgb {
  const deep = mix(skyTop, ground, 0.45);
  return ramp(
    [
      mix(skyLow, skyMiddle, 0.35),
      mix(skyMiddle, skyLow, 0.18),
      mix(skyMiddle, deep, 0.5),
      deep,
      mix(ground, skyTop, 0.2),
    ],
    nearness,
  );
}

interface Sheet {
  colour: Rgb;
  /** The lower edge of the leaves and the upper edge of the ground, by column. */
  leaves: Float64Array;
  ground: Float64Array;
  trunks: { x: number; half: number; lean: number }[];
}

function sheet(stage: Stage, number: number): Layer {
  const { palette, random, unit, width, height } = stage;
  const nearness = number / (sheets - 1);
  const margin = Math.ceil((6 + 26 * nearness) * unit);
  const start = Math.floor(random() * 1e6);
  const path = { x: `-${margin}+${(margin * 0.96).toFixed(2)}*sin(t*0.55)`, y: 0 };
  const place = { ...path, width: width + 2 * margin, height, detail: 0.75 };
  return lay(stage, `sheet${number}`, place, (w, h, u) => {
    const image = transparent(w, h, palette.ground);
    const across = (x: number) => Math.abs(x / w - 0.5) * 2;
    const scallop = (x: number) =>
      Math.abs(Math.sin(x / ((16 + 10 * nearness) * u))) * (7 + 7 * nearness) * u;
    const plan: Sheet = {
      colour: paperColour(palette, nearness),
      leaves: Float64Array.from({ length: w }, (_, x) => {
        const low =
          0.05 +
          0.2 * ease(across(x)) * (0.5 + nearness) +
          0.16 * clouded(x / (190 * u), 1, start, 3);
        return h * (low - 0.06 * nearness) + scallop(x);
      }),
      ground: Float64Array.from({ length: w }, (_, x) => {
        const high = 0.68 + 0.055 * number + 0.08 * (clouded(x / (230 * u), 7, start, 2) - 0.5);
        return h * (high - 0.08 * ease(across(x)) * nearness);
      }),
      trunks: [],
    };
    const gap = (96 + 110 * nearness) * u;
    for (let x = random() * gap; x < w; x += gap * between(random, 0.6, 1.5)) {
      const isInGlade = number > 2 && across(x) < 0.3 + 0.16 * (number - 2);
      if (isInGlade) continue;
      plan.trunks.push({
        x,
        half: between(random, 5, 9) * (0.6 + 1.5 * nearness) * u,
        lean: (random() - 0.5) * 0.1,
      });
    }
    cutPaper(image, plan, 15 * u);
    if (number === 2)
      deer(image, [w * between(random, 0.4, 0.54), plan.ground], 150 * u, plan.colour);
    return image;
  });
}

/** Paper where the sheet is, and around it the shadow that it casts, `reach` wide. */
function cutPaper(image: Image, { colour, leaves, ground, trunks }: Sheet, reach: number) {
  const { width, height, bytes } = image;
  const away = new Float32Array(width);
  for (let y = 0; y < height; y++) {
    away.fill(1e6);
    for (const { x, half, lean } of trunks) {
      const middle = x + lean * (y - height * 0.7);
      const flare =
        half * (1 + 1.1 * Math.exp(-Math.abs((ground[Math.floor(x)] ?? 0) - y) / (half * 2.4)));
      for (
        let column = Math.floor(middle - flare - 1);
        column < middle + flare + reach * 1.6;
        column++
      ) {
        const beside = Math.abs(column + 0.5 - middle) - flare;
        // light comes from the upper left: the shadow is wider on the right
        const toShadow = column < middle ? beside * 3 : beside;
        if (column >= 0 && column < width) away[column] = Math.min(away[column] ?? 0, toShadow);
      }
    }
    for (let x = 0; x < width; x++) {
      const below = y - (leaves[x] ?? 0);
      const above = ((ground[x] ?? 0) - y) * 1.7;
      const apart = Math.min(below, above, away[x] ?? 0);
      const at = (y * width + x) * 4;
      if (apart <= 0.5) {
        const rim = apart > -1.6 ? 14 : 0; // the cut edge catches light
        bytes[at] = Math.min(255, colour[0] + rim);
        bytes[at + 1] = Math.min(255, colour[1] + rim);
        bytes[at + 2] = Math.min(255, colour[2] + rim);
        bytes[at + 3] = 255 * Math.min(1, 0.5 - apart + 0.5);
      } else if (apart < reach) {
        bytes[at + 3] = 92 * (1 - apart / reach) ** 2;
      }
    }
  }
}

function deer(image: Image, [x, line]: [number, Float64Array], size: number, colour: Rgb) {
  const foot = (line[Math.floor(x + size * 0.4)] ?? 0) + 0.03 * size;
  const at = (dx: number, dy: number): Point => [x + dx * size, foot - dy * size];
  const part = (a: Point, b: Point, thick: readonly [number, number]) =>
    limb(image, a, b, [thick[0] * size, thick[1] * size], colour);
  part(at(0.2, 0.5), at(0.56, 0.52), [0.2, 0.19]);
  part(at(0.58, 0.54), at(0.72, 0.78), [0.15, 0.085]);
  part(at(0.72, 0.8), at(0.86, 0.75), [0.1, 0.05]);
  part(at(0.7, 0.83), at(0.63, 0.9), [0.05, 0.02]);
  part(at(0.11, 0.55), at(0.06, 0.48), [0.06, 0.02]);
  for (const [hip, knee, hoof] of [
    [0.16, 0.12, 0.15],
    [0.24, 0.25, 0.22],
    [0.54, 0.56, 0.54],
    [0.6, 0.63, 0.62],
  ] as const) {
    part(at(hip, 0.46), at(knee, 0.24), [0.1, 0.045]);
    part(at(knee, 0.24), at(hoof, 0), [0.045, 0.032]);
  }
  for (const side of [0, 1]) {
    const lean = side * 0.1 - 0.04;
    part(at(0.72, 0.84), at(0.68 + lean, 1.02), [0.03, 0.024]);
    part(at(0.68 + lean, 1.02), at(0.74 + lean, 1.2), [0.024, 0.016]);
    part(at(0.69 + lean, 0.98), at(0.79 + lean, 1.06), [0.02, 0.014]);
    part(at(0.69 + lean, 1.06), at(0.61 + lean, 1.15), [0.02, 0.014]);
  }
}

function firefly(stage: Stage, number: number): Layer {
  const { palette, random, unit, width, height } = stage;
  const [x, y] = [
    Math.round(width * between(random, 0.12, 0.88)),
    Math.round(height * between(random, 0.42, 0.82)),
  ];
  const drift = (speed: number) =>
    `${(between(random, 18, 46) * unit).toFixed(1)}*sin(t*${speed.toFixed(2)}+${number})`;
  const path = {
    x: `${x}+${drift(between(random, 0.5, 0.9))}`,
    y: `${y}+${drift(between(random, 0.7, 1.2))}`,
  };
  const side = between(random, 16, 30) * unit;
  return lay(stage, `fly${number}`, { ...path, width: side, height: side }, (w, h) => {
    const colour = mix(palette.light, palette.accent, 0.3);
    const image = transparent(w, h, colour);
    glow(image, [w / 2, h / 2], w / 2, colour, 0.75);
    glow(image, [w / 2, h / 2], w / 7, [255, 255, 255], 1);
    return image;
  });
}
