import type { Image, Random } from "../video/paint.ts";
import { mix, type Palette } from "../video/palettes.ts";
import { between, framesOf, limb, opaque, type Point, polygon, ramp, transparent } from "./draw.ts";
import { addWave, ease, ridged } from "./noise.ts";
import {
  birds,
  clouds,
  distance,
  type Layer,
  lay,
  loopOf,
  type PaintScene,
  paintSky,
  type Stage,
} from "./stage.ts";

const loopFrames = 48;

/** Water in perspective, the sun's path on it, islands or none, and a sail. */
export const paintSea: PaintScene = (stage) => {
  const { palette, random, width, height, unit } = stage;
  const horizon = Math.round(height * between(random, 0.5, 0.6));
  const sunX = width * between(random, 0.3, 0.7);
  const isHigh = palette.starry && random() > 0.5;
  const sunY = isHigh ? horizon * 0.42 : horizon - between(random, 22, 66) * unit;
  const light = { at: [sunX, sunY] as const, diameter: isHigh ? 74 : 118 };
  const sky = paintSky(stage, { horizon: horizon / height, light, stars: 0.7 });
  const cloudColour = mix(palette.skyLow, palette.light, 0.55);
  const high = { top: horizon * 0.08, height: horizon * 0.8, speed: 7, cover: 0.5 };
  const layers = [clouds(stage, "clouds", { ...high, colour: cloudColour, size: 110 })];
  if (random() > 0.45) layers.push(islands(stage, horizon));
  layers.push(water(stage, horizon, sunX), sail(stage, horizon, sunX));
  layers.push(birds(stage, mix(palette.ground, palette.skyMiddle, 0.25), horizon * 0.45));
  return [sky, ...layers];
};

function islands(stage: Stage, horizon: number): Layer {
  const { palette, random, unit } = stage;
  const [tall, start] = [between(random, 40, 84) * unit, random() * 100];
  const side = random() > 0.5 ? 0 : 1;
  const place = { x: 0, y: horizon - tall, width: stage.width, height: tall };
  const colour = distance(palette, 0.45);
  return lay(stage, "islands", place, (width, height, u) => {
    const image = transparent(width, height, colour);
    for (let x = 0; x < width; x++) {
      const inland = Math.abs(x / width - side) / 0.46;
      const rise = ease(1 - inland) * (0.35 + 0.65 * ridged(start + x / (210 * u), 7, 4));
      for (let y = Math.floor(height * (1 - rise)); y < height && inland < 1; y++) {
        const at = (y * width + x) * 4;
        const shade = mix(colour, palette.skyLow, (0.5 * y) / height);
        image.bytes.set([...shade, 255], at);
      }
    }
    return image;
  });
}

/** The colours of water: what the sky gives far away, what the deep gives near. */
function waterColours({ skyTop, skyMiddle, skyLow, ground }: Palette) {
  return [
    mix(skyLow, skyMiddle, 0.35),
    mix(skyMiddle, skyTop, 0.3),
    mix(mix(skyTop, ground, 0.45), skyMiddle, 0.12),
  ] as const;
}

/** Waves that run towards the viewer, from swell to ripples. */
function swell(random: Random) {
  return Array.from({ length: 8 }, (_, at) => ({
    across: between(random, -1, 1) * (0.3 + at * 0.5),
    along: 0.7 + at * 0.95 + random() * 0.3,
    cycles: 1 + Math.floor(at / 2),
    start: random(),
    size: 1 / (1.8 + at * 0.28),
  }));
}

function water(stage: Stage, horizon: number, sunX: number): Layer {
  const { palette, height: full } = stage;
  const waves = swell(stage.random);
  const place = { x: 0, y: horizon, width: stage.width, height: full - horizon, detail: 1 / 3 };
  return lay(stage, "water", { ...place, framesPerSecond: 24 }, (width, height, u) => {
    const image = opaque(width, height, loopOf(stage, loopFrames));
    const middle = (sunX / stage.width) * width;
    const level = new Float32Array(width);
    for (const [frame, view] of framesOf(image).entries()) {
      for (let y = 0; y < height; y++) {
        const depth = (y + 0.5) / height;
        const far = 1 / (depth + 0.05);
        const step = far / (250 * u);
        level.fill(0);
        for (const { across, along, cycles, start, size } of waves) {
          // what is finer than the distance can show would only flicker
          const seen = size * Math.min(1, (depth * 5) / along + 0.1);
          const phase = along * far * 0.8 + start - (cycles * frame) / loopFrames;
          addWave(level, seen * 0.62, phase - across * step * middle, across * step);
        }
        paintWaterRow(view, y, level, { palette, middle, path: (24 + 120 * depth) * u, depth });
      }
    }
    return image;
  });
}

interface WaterRow {
  palette: Palette;
  middle: number;
  path: number;
  depth: number;
}

function paintWaterRow(
  image: Image,
  y: number,
  level: Float32Array,
  { palette, middle, path, depth }: WaterRow,
) {
  const base = ramp(waterColours(palette), depth ** 0.6);
  const [bright, dark] = [mix(base, palette.skyLow, 0.5), mix(base, palette.ground, 0.5)];
  const { light } = palette;
  for (let x = 0; x < image.width; x++) {
    const high = level[x] ?? 0;
    const away = (x - middle) / path;
    const near = away * away;
    const glint = near > 6 ? 0 : ease(high * 1.5 + 0.2) * Math.exp(-near) * 0.92;
    const lift = Math.min(1, Math.abs(high) * 0.62) * (1 - glint);
    const toward = high > 0 ? bright : dark;
    const keep = 1 - glint - lift;
    const at = (y * image.width + x) * 3;
    image.bytes[at] = base[0] * keep + toward[0] * lift + light[0] * glint;
    image.bytes[at + 1] = base[1] * keep + toward[1] * lift + light[1] * glint;
    image.bytes[at + 2] = base[2] * keep + toward[2] * lift + light[2] * glint;
  }
}

function sail(stage: Stage, horizon: number, sunX: number): Layer {
  const { palette, random, unit } = stage;
  const tall = between(random, 62, 110);
  const side = sunX < stage.width / 2 ? 0.62 : 0.2;
  const from = Math.round(stage.width * (side + random() * 0.14));
  const [width, height] = [tall * 0.9 * unit, tall * 1.2 * unit];
  const y = Math.round(horizon - height * 0.72 + tall * 0.28 * unit);
  const path = {
    x: `${from}+${(8 * unit).toFixed(3)}*t`,
    y: `${y}+${(2.5 * unit).toFixed(3)}*sin(t*1.7)`,
  };
  return lay(stage, "sail", { ...path, width, height }, (paintedWidth, paintedHeight, u) => {
    const image = transparent(paintedWidth, paintedHeight, palette.ground);
    paintSail(image, tall * u, palette);
    return image;
  });
}

function paintSail(image: Image, tall: number, { ground, light, skyMiddle }: Palette) {
  const at = (x: number, y: number): Point => [x * tall, y * tall];
  const cloth = mix(light, skyMiddle, 0.18);
  polygon(image, [at(0.46, 0.04), at(0.83, 0.74), at(0.46, 0.74)], cloth);
  polygon(image, [at(0.42, 0.14), at(0.42, 0.74), at(0.12, 0.74)], mix(cloth, skyMiddle, 0.35));
  limb(image, at(0.44, 0.02), at(0.44, 0.8), [tall * 0.018, tall * 0.018], ground);
  polygon(image, [at(0.06, 0.78), at(0.86, 0.78), at(0.7, 0.91), at(0.2, 0.91)], ground);
  for (let row = 0; row < 6; row++) {
    const half = 0.36 - row * 0.045;
    const y = 0.95 + row * 0.042;
    limb(
      image,
      at(0.46 - half, y),
      at(0.46 + half, y),
      [tall * 0.012, tall * 0.012],
      cloth,
      0.35 - row * 0.05,
    );
  }
}
