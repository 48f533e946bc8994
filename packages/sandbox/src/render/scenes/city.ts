import { between, box, polygon, transparent } from "./draw.ts";
import { type Image, mix, type Palette, type Random, type Rgb } from "./paint.ts";
import { distance, type Layer, type PaintScene, paintSky, type Stage, slide } from "./stage.ts";

interface Skyline {
  name: string;
  /** The lowest and the highest tower, and how much wider the widest is than 40, in units. */
  tall: readonly [number, number];
  wide: number;
  nearness: number;
  speed: number;
  window: number;
  /** The share of windows that are lit. */
  lit: number;
}

const skylines: readonly Skyline[] = [
  { name: "far", tall: [120, 330], wide: 40, nearness: 0.34, speed: 6, window: 3, lit: 0.2 },
  { name: "middle", tall: [90, 300], wide: 55, nearness: 0.62, speed: 14, window: 4.5, lit: 0.42 },
  { name: "near", tall: [40, 170], wide: 90, nearness: 0.9, speed: 30, window: 6.5, lit: 0.5 },
];

const shore = 0.76;

/** Towers with lit windows over still water that mirrors them. */
export const paintCity: PaintScene = (stage) => {
  const { palette, random, width, height } = stage;
  const at = [width * between(random, 0.2, 0.8), height * between(random, 0.16, 0.28)] as const;
  const below = [
    mix(palette.skyLow, palette.ground, 0.35),
    mix(palette.skyTop, palette.ground, 0.6),
  ] as const;
  const sky = paintSky(stage, { horizon: shore, below, light: { at, diameter: 58 }, glow: 0.8 });
  return [sky, ...skylines.map((skyline) => skylineLayer(stage, skyline))];
};

function skylineLayer(stage: Stage, skyline: Skyline): Layer {
  const { palette, random, unit, height } = stage;
  const [lowest, highest] = skyline.tall;
  const foot = height * shore;
  const top = Math.max(0, foot - (highest + 70) * unit);
  const place = { speed: skyline.speed, top, height: height - top };
  return slide(stage, skyline.name, place, (width, paintedHeight, u) => {
    const wall = distance(palette, skyline.nearness);
    const image = transparent(width, paintedHeight, wall);
    const ground = Math.round((foot - top) * (paintedHeight / (height - top)));
    for (let x = -20 * u; x < width; ) {
      const wide = between(random, 40, 40 + skyline.wide) * u;
      const tall = (lowest + random() ** 1.7 * (highest - lowest)) * u;
      const tower = { x: Math.round(x), width: Math.round(wide), top: Math.round(ground - tall) };
      const shade = mix(wall, palette.ground, random() * 0.28);
      box(image, [tower.x, tower.top], tower.width, ground - tower.top, shade);
      paintRoof(image, tower, shade, random);
      paintWindows(image, { ...tower, ground, u }, skyline, shade, palette, random);
      x += wide + (random() > 0.7 ? between(random, 8, 60) : between(random, 0, 6)) * u;
    }
    mirror(image, ground, mix(palette.skyTop, palette.ground, 0.5));
    return image;
  });
}

interface Tower {
  x: number;
  width: number;
  top: number;
}

/** Flat, with a mast, or with a gable. */
function paintRoof(image: Image, { x, width, top }: Tower, shade: Rgb, random: Random) {
  const kind = random();
  if (kind < 0.25) box(image, [x + width * 0.48, top - width * 0.7], width * 0.05, width, shade);
  if (kind < 0.5) box(image, [x + width * 0.25, top - width * 0.15], width * 0.5, width, shade);
  if (kind < 0.8) return;
  const ridgeAt = x + (kind < 0.9 ? width / 2 : 0);
  const gable = [
    [x, top + 1],
    [ridgeAt, top - width * 0.4],
    [x + width, top + 1],
  ] as const;
  polygon(image, gable, shade);
}

function paintWindows(
  image: Image,
  { x, width, top, ground, u }: Tower & { ground: number; u: number },
  skyline: Skyline,
  shade: Rgb,
  palette: Palette,
  random: Random,
) {
  const cell = Math.max(2, skyline.window * u);
  const [gapX, gapY] = [cell * 1.75, cell * 2.1];
  const columns = Math.floor((width - cell) / gapX);
  const rows = Math.floor((ground - top - cell * 2) / gapY);
  const margin = (width - columns * gapX + (gapX - cell)) / 2;
  const glass = random() > 0.4 ? palette.accent : mix(palette.second, palette.light, random());
  const dark = mix(shade, palette.skyMiddle, 0.25);
  const lit = skyline.lit * between(random, 0.4, 1.3);
  for (let row = 0; row < rows; row++) {
    const share = random() > 0.9 ? 0.95 : lit; // some floors are all at work
    for (let column = 0; column < columns; column++) {
      const place = [x + margin + column * gapX, top + cell * 1.5 + row * gapY] as const;
      const isLit = random() < share;
      const opacity = isLit ? between(random, 0.55, 1) * (0.35 + 0.65 * skyline.nearness) : 0.5;
      box(image, place, cell, cell * 1.25, isLit ? glass : dark, opacity);
    }
  }
}

/** Mirrors the image above the shore below it: darker, paler with depth, in broken rows. */
function mirror(image: Image, ground: number, deep: Rgb) {
  const { width, height, bytes } = image;
  for (let y = ground; y < height; y++) {
    const depth = (y - ground) / (height - ground);
    const shift = Math.round(Math.sin(y * 0.9) * 6.4 * depth);
    const from = ground - 1 - Math.round((y - ground) * 1.35);
    if (from < 0) break;
    const share = 0.38 + 0.3 * depth;
    for (let x = 0; x < width; x++) {
      const source = (from * width + Math.min(width - 1, Math.max(0, x + shift))) * 4;
      const at = (y * width + x) * 4;
      for (let part = 0; part < 3; part++)
        bytes[at + part] = (bytes[source + part] ?? 0) * (1 - share) + (deep[part] ?? 0) * share;
      bytes[at + 3] = (bytes[source + 3] ?? 0) * (0.86 - 0.62 * depth);
    }
  }
}
