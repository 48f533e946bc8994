import type { Image, Random } from "../video/paint.ts";
import { mix, type Palette, type Rgb } from "../video/palettes.ts";
import { between, box, glow, limb, polygon, transparent } from "./draw.ts";
import {
  distance,
  type Layer,
  lay,
  type PaintScene,
  paintSky,
  type Stage,
  slide,
} from "./stage.ts";

interface Skyline {
  name: string;
  tall: readonly [number, number];
  wide: readonly [number, number];
  nearness: number;
  speed: number;
  window: number;
  lit: number;
}

const skylines: readonly Skyline[] = [
  { name: "far", tall: [120, 330], wide: [34, 80], nearness: 0.34, speed: 6, window: 3, lit: 0.2 },
  {
    name: "middle",
    tall: [90, 300],
    wide: [44, 96],
    nearness: 0.62,
    speed: 14,
    window: 4.5,
    lit: 0.42,
  },
  {
    name: "near",
    tall: [40, 170],
    wide: [60, 130],
    nearness: 0.9,
    speed: 30,
    window: 6.5,
    lit: 0.5,
  },
];

const shore = 0.76;

/** Towers with lit windows over still water that mirrors them, and cars along the shore. */
export const paintCity: PaintScene = (stage) => {
  const { palette, random, width, height, unit } = stage;
  const at = [width * between(random, 0.2, 0.8), height * between(random, 0.16, 0.28)] as const;
  const below = [
    mix(palette.skyLow, palette.ground, 0.35),
    mix(palette.skyTop, palette.ground, 0.6),
  ] as const;
  const sky = paintSky(stage, { horizon: shore, below, light: { at, diameter: 58 }, glow: 0.8 });
  const layers = skylines.map((skyline) => skylineLayer(stage, skyline));
  const road = Math.round(height * shore);
  const [toRight, toLeft] = [between(random, 80, 110), between(random, 60, 90)];
  layers.push(quay(stage, road));
  layers.push(cars(stage, "cars", -toRight, road - 9 * unit, palette.light));
  layers.push(cars(stage, "tails", toLeft, road - 3 * unit, [255, 70, 60]));
  layers.push(plane(stage));
  return [sky, ...layers];
};

function skylineLayer(stage: Stage, skyline: Skyline): Layer {
  const { palette, random, unit, height } = stage;
  const foot = height * shore;
  const top = Math.max(0, foot - (skyline.tall[1] + 70) * unit);
  const place = { speed: skyline.speed, top, height: height - top };
  return slide(stage, skyline.name, place, (width, paintedHeight, u) => {
    const wall = distance(palette, skyline.nearness);
    const image = transparent(width, paintedHeight, wall);
    const ground = Math.round((foot - top) * (paintedHeight / (height - top)));
    const reach = skyline.tall[1] - skyline.tall[0];
    for (let x = -20 * u; x < width; ) {
      const wide = between(random, ...skyline.wide);
      const tall = skyline.tall[0] + random() ** 1.7 * reach;
      const tower = {
        x: Math.round(x),
        width: Math.round(wide * u),
        top: Math.round(ground - tall * u),
        ground,
      };
      paintTower(image, tower, skyline, wall, palette, random, u);
      x += (wide + (random() > 0.7 ? between(random, 8, 60) : between(random, 0, 6))) * u;
    }
    mirror(image, ground, mix(palette.skyTop, palette.ground, 0.5));
    return image;
  });
}

interface Tower {
  x: number;
  width: number;
  top: number;
  ground: number;
}

function paintTower(
  image: Image,
  { x, width, top, ground }: Tower,
  skyline: Skyline,
  wall: Rgb,
  palette: Palette,
  random: Random,
  u: number,
) {
  const shade = mix(wall, palette.ground, random() * 0.28);
  box(image, [x, top], width, ground - top, shade);
  paintRoof(image, x, width, top, shade, random, u);
  const cell = Math.max(2, skyline.window * u);
  const [gapX, gapY] = [cell * 1.75, cell * 2.1];
  const columns = Math.floor((width - cell) / gapX);
  const rows = Math.floor((ground - top - cell * 2) / gapY);
  const margin = (width - columns * gapX + (gapX - cell)) / 2;
  const glass: Rgb[] = [
    palette.accent,
    palette.light,
    mix(palette.accent, palette.light, 0.5),
    palette.second,
  ];
  const own = glass[Math.floor(random() * glass.length)] ?? palette.light;
  const lit = skyline.lit * between(random, 0.4, 1.3);
  for (let row = 0; row < rows; row++) {
    const floor = random() > 0.9 ? 0.95 : lit;
    for (let column = 0; column < columns; column++) {
      const place = [x + margin + column * gapX, top + cell * 1.5 + row * gapY] as const;
      const isLit = random() < floor;
      const colour = random() > 0.8 ? (glass[Math.floor(random() * 4)] ?? own) : own;
      const dark = mix(shade, palette.skyMiddle, 0.25);
      const opacity = isLit ? between(random, 0.55, 1) * (0.35 + 0.65 * skyline.nearness) : 0.5;
      box(image, place, cell, cell * 1.25, isLit ? colour : dark, opacity);
    }
  }
}

function paintRoof(
  image: Image,
  x: number,
  width: number,
  top: number,
  shade: Rgb,
  random: Random,
  u: number,
) {
  const kind = random();
  const middle = x + width / 2;
  if (kind < 0.22) {
    box(image, [x + width * 0.25, top - 14 * u], width * 0.5, 15 * u, shade);
    limb(image, [middle, top - 14 * u], [middle, top - 52 * u], [2.4 * u, 1 * u], shade);
    glow(image, [middle, top - 52 * u], 5 * u, [255, 80, 70], 0.9);
  } else if (kind < 0.36) {
    polygon(
      image,
      [
        [x, top + 1],
        [middle, top - width * 0.45],
        [x + width, top + 1],
      ],
      shade,
    );
  } else if (kind < 0.5) {
    polygon(
      image,
      [
        [x, top + 1],
        [x, top - width * 0.4],
        [x + width, top + 1],
      ],
      shade,
    );
  } else if (kind < 0.7) {
    box(image, [x + width * 0.15, top - 8 * u], width * 0.3, 9 * u, shade);
  }
}

/** What stands above the shore, upside down below it: darker, paler with depth, in broken rows. */
function mirror(image: Image, ground: number, deep: Rgb) {
  const { width, height, bytes } = image;
  for (let y = ground; y < height; y++) {
    const depth = (y - ground) / (height - ground);
    const shift = Math.round(Math.sin(y * 0.9) * 1.6 * depth * 4);
    const from = ground - 1 - Math.round((y - ground) * 1.35);
    if (from < 0) break;
    for (let x = 0; x < width; x++) {
      const source = (from * width + Math.min(width - 1, Math.max(0, x + shift))) * 4;
      const at = (y * width + x) * 4;
      const share = 0.38 + 0.3 * depth;
      for (let part = 0; part < 3; part++)
        bytes[at + part] = (bytes[source + part] ?? 0) * (1 - share) + (deep[part] ?? 0) * share;
      bytes[at + 3] = (bytes[source + 3] ?? 0) * (0.86 - 0.62 * depth);
    }
  }
}

function quay(stage: Stage, road: number): Layer {
  const { palette, unit, width } = stage;
  const place = { x: 0, y: road - 7 * unit, width, height: 13 * unit };
  return lay(stage, "quay", place, (paintedWidth, paintedHeight, u) => {
    const image = transparent(paintedWidth, paintedHeight, palette.ground);
    box(image, [0, 2 * u], paintedWidth, paintedHeight - 2 * u, palette.ground);
    for (let x = 30 * u; x < paintedWidth; x += 64 * u) {
      glow(image, [x, 3 * u], 5 * u, palette.accent, 0.9);
      for (let depth = 0; depth < 3; depth++)
        glow(image, [x, (8 + depth * 2) * u], 4 * u, palette.accent, 0.2);
    }
    return image;
  });
}

function cars(stage: Stage, name: string, speed: number, top: number, colour: Rgb): Layer {
  const { random, unit } = stage;
  return slide(stage, name, { speed, top, height: 10 * unit }, (width, height, u) => {
    const image = transparent(width, height, colour);
    for (let x = random() * 120 * u; x < width; x += between(random, 50, 260) * u) {
      const back = speed < 0 ? -1 : 1;
      for (let step = 0; step < 22; step++)
        glow(
          image,
          [x + back * step * 1.8 * u, height / 2],
          2.6 * u,
          colour,
          0.16 * (1 - step / 22),
        );
      glow(image, [x, height / 2], 4.5 * u, colour, 1);
      glow(image, [x, height / 2], 2 * u, [255, 255, 255], 0.8);
    }
    return image;
  });
}

function plane(stage: Stage): Layer {
  const { random, unit, palette } = stage;
  const [x, y] = [
    stage.width * between(random, 0.1, 0.5),
    stage.height * between(random, 0.08, 0.2),
  ];
  const path = {
    x: `${Math.round(x)}+${(26 * unit).toFixed(3)}*t`,
    y: `${Math.round(y)}-${(3 * unit).toFixed(3)}*t`,
  };
  return lay(
    stage,
    "plane",
    { ...path, width: 12 * unit, height: 12 * unit },
    (width, height, u) => {
      const image = transparent(width, height, palette.light);
      glow(image, [width / 2, height / 2], 5 * u, palette.light, 0.9);
      return image;
    },
  );
}
