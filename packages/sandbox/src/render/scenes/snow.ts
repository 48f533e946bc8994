import type { Image } from "../video/paint.ts";
import { mix, type Palette, type Rgb } from "../video/palettes.ts";
import { between, box, disc, fillBelow, glow, type Point, polygon, transparent } from "./draw.ts";
import { clouded } from "./noise.ts";
import {
  clouds,
  distance,
  type Layer,
  lay,
  type PaintScene,
  paintSky,
  type Stage,
  slide,
} from "./stage.ts";

/** A cabin with a lit window between snowy firs, and falling snow. */
export const paintSnow: PaintScene = (stage) => {
  const { palette, random, width, height } = stage;
  const at = [width * between(random, 0.15, 0.85), height * between(random, 0.16, 0.3)] as const;
  const sky = paintSky(stage, { horizon: 0.72, light: { at, diameter: 64 }, glow: 0.8 });
  const veil = { top: height * 0.05, height: height * 0.5, speed: 5, cover: 0.5 };
  const cabinX = width * between(random, 0.3, 0.58);
  const white = mix([255, 255, 255], palette.skyLow, 0.35);
  return [
    sky,
    clouds(stage, "clouds", { ...veil, colour: mix(palette.skyLow, palette.light, 0.3) }),
    drift(stage, "far", {
      top: 0.58,
      rise: 90,
      speed: 4,
      tree: 38,
      snow: mix(white, palette.skyMiddle, 0.5),
      nearness: 0.42,
    }),
    drift(stage, "middle", {
      top: 0.69,
      rise: 70,
      speed: 9,
      tree: 96,
      snow: mix(white, palette.skyMiddle, 0.28),
      nearness: 0.62,
    }),
    cabin(stage, cabinX),
    drift(stage, "near", {
      clear: cabinX,
      top: 0.88,
      rise: 44,
      speed: 20,
      tree: 170,
      snow: white,
      nearness: 0.8,
    }),
    flakes(stage, "flakes", { count: 420, size: [1, 2.2], speed: 56, sway: 8 }),
    flakes(stage, "nearer", { count: 90, size: [2.6, 5.2], speed: 110, sway: 18 }),
  ];
};

interface DriftPlan {
  top: number;
  rise: number;
  speed: number;
  tree: number;
  snow: Rgb;
  nearness: number;
  /** Where no tree may stand, from its left end. */
  clear?: number;
}

function drift(stage: Stage, name: string, plan: DriftPlan): Layer {
  const { palette, random, unit, height } = stage;
  const start = Math.floor(random() * 1e6);
  const top = Math.round(height * plan.top - (plan.rise / 2 + plan.tree) * unit);
  const fir = distance(palette, plan.nearness);
  const shade = mix(plan.snow, palette.skyMiddle, 0.35);
  return slide(
    stage,
    name,
    { speed: plan.speed, top, height: height - top },
    (width, paintedHeight, u) => {
      const image = transparent(width, paintedHeight, plan.snow);
      const line = Float64Array.from(
        { length: width },
        (_, x) => (plan.tree + plan.rise * clouded(x / (360 * u), 0.5, start, 2)) * u,
      );
      fillBelow(image, line, (at) => mix(plan.snow, shade, at * 1.2 - 0.2));
      const gap = plan.tree > 120 ? 2.4 : 0.5;
      for (
        let x = random() * 100 * u;
        x < width;
        x += plan.tree * (0.3 + random() ** 2 * gap * 1.6) * u
      ) {
        const tall = plan.tree * between(random, 0.55, 1) * u;
        const fromCabin = x / u - (plan.clear ?? -1e6) / unit;
        if (fromCabin > 0 && fromCabin < 300) continue;
        snowyFir(image, [x, (line[Math.floor(x)] ?? 0) + 5 * u], tall, fir, plan.snow);
      }
      return image;
    },
  );
}

function snowyFir(image: Image, [x, y]: Point, tall: number, fir: Rgb, snow: Rgb) {
  const steps = 6;
  box(image, [x - tall * 0.02, y - tall * 0.1], tall * 0.04, tall * 0.1, fir);
  for (let step = steps - 1; step >= 0; step--) {
    const share = (step + 1) / steps;
    const low = y - tall * 0.07 - tall * 0.9 * (1 - share) * 0.94;
    const half = tall * 0.23 * (0.16 + 0.84 * share);
    const peak = low - (tall / steps) * 1.75;
    polygon(
      image,
      [
        [x, peak],
        [x + half, low],
        [x + half * 0.45, low - tall * 0.02],
        [x, low + tall * 0.012],
        [x - half * 0.45, low - tall * 0.02],
        [x - half, low],
      ],
      fir,
    );
    polygon(
      image,
      [
        [x, peak],
        [x + half * 0.5, low - (low - peak) * 0.5],
        [x + half * 0.12, low - (low - peak) * 0.34],
        [x - half * 0.3, low - (low - peak) * 0.46],
        [x - half * 0.92, low - tall * 0.006],
      ],
      snow,
      0.9,
    );
  }
}

function cabin(stage: Stage, left: number): Layer {
  const { palette, unit } = stage;
  const [width, height] = [250 * unit, 190 * unit];
  const path = {
    x: `${Math.round(left)}-${(9 * unit).toFixed(3)}*t`,
    y: Math.round(stage.height * 0.82 - height),
  };
  return lay(stage, "cabin", { ...path, width, height }, (paintedWidth, paintedHeight, u) => {
    const image = transparent(paintedWidth, paintedHeight, palette.ground);
    paintCabin(image, palette, u);
    return image;
  });
}

const lamp: Rgb = [255, 196, 104];

function paintCabin(image: Image, palette: Palette, u: number) {
  const at = (x: number, y: number): Point => [x * u, y * u];
  const wall = mix(mix(palette.ground, [92, 58, 40], 0.5), palette.skyMiddle, 0.12);
  const snow = mix([255, 255, 255], palette.skyLow, 0.3);
  for (const [x, y] of [
    [94, 130],
    [150, 130],
  ] as const)
    glow(image, at(x, y), 74 * u, lamp, 0.5);
  box(image, at(164, 38), 18 * u, 46 * u, mix(wall, palette.ground, 0.4));
  box(image, at(161, 33), 24 * u, 8 * u, snow);
  box(image, at(58, 96), 134 * u, 78 * u, wall);
  for (let row = 0; row < 6; row++)
    box(image, at(58, 106 + row * 12), 134 * u, 1.6 * u, palette.ground, 0.35);
  polygon(image, [at(40, 100), at(125, 44), at(210, 100)], mix(wall, palette.ground, 0.5));
  polygon(
    image,
    [at(30, 104), at(125, 36), at(220, 104), at(206, 106), at(125, 54), at(44, 106)],
    snow,
  );
  for (const x of [78, 136]) {
    box(image, at(x, 116), 32 * u, 28 * u, lamp);
    box(image, at(x + 15, 116), 2 * u, 28 * u, wall);
    box(image, at(x, 129), 32 * u, 2 * u, wall);
  }
  for (let x = 44; x < 206; x += 9) disc(image, at(x, 176), 8 * u, snow);
}

interface FlakePlan {
  count: number;
  size: readonly [number, number];
  speed: number;
  sway: number;
}

/** Two equal sheets above each other: when one has fallen through, the other stands where it stood. */
function flakes(stage: Stage, name: string, { count, size, speed, sway }: FlakePlan): Layer {
  const { random, unit, width, height } = stage;
  const path = {
    x: `-${Math.ceil(sway * unit)}+${(sway * unit).toFixed(2)}*sin(t*0.9)`,
    y: `mod(${(speed * unit).toFixed(2)}*t,${height})-${height}`,
  };
  const wide = width + 2 * Math.ceil(sway * unit);
  return lay(
    stage,
    name,
    { ...path, width: wide, height: height * 2 },
    (paintedWidth, paintedHeight, u) => {
      const image = transparent(paintedWidth, paintedHeight, [255, 255, 255]);
      const half = paintedHeight / 2;
      for (let flake = 0; flake < count; flake++) {
        const [x, y] = [random() * paintedWidth, random() * half];
        const radius = between(random, ...size) * u;
        for (const top of [0, half])
          glow(image, [x, y + top], radius * 1.6, [255, 255, 255], between(random, 0.75, 1.1));
      }
      return image;
    },
  );
}
