import { between, framesOf, opaque, type Point, polygon, ramp, transparent } from "./draw.ts";
import { addWave, ease } from "./noise.ts";
import { type Image, mix, type Palette, type Random } from "./paint.ts";
import {
  clouds,
  framesPerSecond,
  type Layer,
  lay,
  type PaintScene,
  paintSky,
  type Stage,
} from "./stage.ts";

const loopFrames = 48;

/** Water in perspective, the sun's path on it, clouds, and a paper boat. */
export const paintSea: PaintScene = (stage) => {
  const { palette, random, width, height, unit } = stage;
  const horizon = Math.round(height * between(random, 0.46, 0.56));
  const sunX = width * between(random, 0.3, 0.7);
  const isHigh = palette.starry && random() > 0.5;
  const sunY = isHigh ? horizon * 0.42 : horizon - between(random, 22, 66) * unit;
  const light = { at: [sunX, sunY] as const, diameter: isHigh ? 74 : 118 };
  const colour = mix(palette.skyLow, palette.light, 0.55);
  const drift = { top: horizon * 0.08, height: horizon * 0.8, speed: 7, cover: 0.5, size: 110 };
  return [
    paintSky(stage, { horizon: horizon / height, light }),
    clouds(stage, "clouds", { ...drift, colour }),
    water(stage, horizon, sunX),
    boat(stage, horizon, sunX),
  ];
};

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
  return lay(stage, "water", place, (width, height, u) => {
    const frames = Math.min(loopFrames, Math.max(1, stage.seconds * framesPerSecond));
    const image = opaque(width, height, frames);
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

/** Returns a boat on the side of the sun that has more room; it drifts and rocks. */
function boat(stage: Stage, horizon: number, sunX: number): Layer {
  const { random, unit, height: full } = stage;
  const width = between(random, 150, 230) * unit;
  const height = width * 0.72;
  const left = stage.width * (sunX < stage.width / 2 ? 0.56 : 0.14) + random() * 90 * unit;
  const top = horizon + (full - horizon) * between(random, 0.2, 0.34) - height * 0.62;
  const x = `${Math.round(left)}+${(9 * unit).toFixed(3)}*t`;
  const y = `${Math.round(top)}+${(4 * unit).toFixed(3)}*sin(t*1.7)`;
  return lay(stage, "boat", { x, y, width, height }, (paintedWidth, paintedHeight) => {
    const image = transparent(paintedWidth, paintedHeight, stage.palette.ground);
    paintBoat(image, stage.palette);
    return image;
  });
}

/** Folded from one sheet, bright on one side, and upside down in the water. */
function paintBoat(image: Image, { light, skyLow, skyMiddle }: Palette) {
  const { width, height } = image;
  const paper = mix([255, 255, 255], light, 0.5);
  for (const side of [-1, 1]) {
    const at = (x: number, y: number): Point => [(0.5 + side * x) * width, y * height];
    const face = side < 0 ? paper : mix(paper, skyMiddle, 0.42);
    polygon(image, [at(0, 0.03), at(0, 0.56), at(0.2, 0.56)], mix(face, skyLow, 0.2));
    polygon(image, [at(0.48, 0.34), at(0, 0.5), at(0, 0.8), at(0.28, 0.8)], face);
    polygon(image, [at(0.28, 0.8), at(0, 0.8), at(0, 0.93), at(0.4, 0.99)], face, 0.24);
  }
}
