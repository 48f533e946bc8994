import type { Image, Random } from "../video/paint.ts";
import { mix, type Palette, type Rgb } from "../video/palettes.ts";
import {
  between,
  blend,
  disc,
  fillBelow,
  framesOf,
  limb,
  opaque,
  type Point,
  polygon,
  ramp,
  transparent,
} from "./draw.ts";
import { addWave, clouded, noise } from "./noise.ts";
import {
  clouds,
  distance,
  type Layer,
  lay,
  loopOf,
  type PaintScene,
  paintSky,
  type Stage,
  slide,
} from "./stage.ts";

const loopFrames = 48;
const horizon = 0.58;

/** A field with the wind in it, a tree, and a kite. */
export const paintField: PaintScene = (stage) => {
  const { palette, random, width, height } = stage;
  const at = [width * between(random, 0.2, 0.8), height * between(random, 0.24, 0.42)] as const;
  const sky = paintSky(stage, { horizon, light: { at, diameter: 96 } });
  const colour = mix(palette.skyLow, palette.light, 0.6);
  const drift = { top: height * 0.04, height: height * 0.5, speed: 12, cover: 0.54, colour };
  const crop = cropColours(palette, random);
  const oak = {
    x: between(random, 0.12, 0.3) + (random() > 0.5 ? 0.5 : 0),
    tall: between(random, 130, 190),
  };
  return [
    sky,
    clouds(stage, "clouds", drift),
    ridge(stage),
    lay(
      stage,
      "crop",
      {
        x: 0,
        y: height * horizon,
        width,
        height: height * (1 - horizon),
        detail: 1 / 3,
        framesPerSecond: 24,
      },
      (w, h, u) => paintCrop(opaque(w, h, loopOf(stage, loopFrames)), u, crop, random),
    ),
    tree(stage, oak),
    kite(stage),
    blades(stage, crop),
  ];
};

interface Crop {
  far: Rgb;
  near: Rgb;
  bright: Rgb;
  dark: Rgb;
  flower: Rgb;
}

/** Ripe or green, in the light of the mood. */
function cropColours({ skyLow, skyMiddle, ground, light, accent }: Palette, random: Random): Crop {
  const plant: Rgb = random() > 0.5 ? [214, 168, 74] : [108, 158, 82];
  const lit = mix(mix(plant, skyLow, 0.34), ground, 0.12);
  return {
    far: mix(lit, skyLow, 0.4),
    near: mix(mix(plant, ground, 0.5), skyMiddle, 0.12),
    bright: mix(lit, light, 0.5),
    dark: mix(mix(plant, ground, 0.72), skyMiddle, 0.1),
    flower: mix(accent, [230, 60, 60], 0.35),
  };
}

/** Gusts run over the field: bright where the stalks bow, dark where they stand. */
function paintCrop(image: Image, unit: number, crop: Crop, random: Random): Image {
  const { width, height } = image;
  const gusts = Array.from({ length: 5 }, (_, at) => ({
    across: 0.5 + at * 0.42 + random() * 0.2,
    along: between(random, -0.6, 0.6) * (at + 1) * 0.5,
    cycles: 1 + (at >> 1),
    start: random(),
    size: 0.5 / (1 + at * 0.45),
  }));
  const stalks = Float32Array.from({ length: width * height }, (_, at) => {
    const [x, y] = [at % width, Math.floor(at / width)];
    const far = 1 / (y / height + 0.09);
    return (
      (noise((x * far) / (7 * unit) + 900, y / 1.4, 5) - 0.5) * Math.min(1, (3 * y) / height + 0.2)
    );
  });
  const level = new Float32Array(width);
  for (const [frame, view] of framesOf(image).entries()) {
    for (let y = 0; y < height; y++) {
      const depth = (y + 0.5) / height;
      const far = 1 / (depth + 0.12);
      level.fill(0);
      for (const { across, along, cycles, start, size } of gusts) {
        const phase = along * far + start - (cycles * frame) / loopFrames;
        addWave(level, size, phase, (across * far) / (900 * unit));
      }
      const base = mix(crop.far, crop.near, depth ** 0.7);
      for (let x = 0; x < width; x++) {
        const lift = (level[x] ?? 0) * 0.5 + (stalks[y * width + x] ?? 0) * 0.8;
        const toward = lift > 0 ? crop.bright : crop.dark;
        const share = Math.min(1, Math.abs(lift) * (0.4 + 0.35 * depth));
        const at = (y * width + x) * 3;
        view.bytes[at] = base[0] + (toward[0] - base[0]) * share;
        view.bytes[at + 1] = base[1] + (toward[1] - base[1]) * share;
        view.bytes[at + 2] = base[2] + (toward[2] - base[2]) * share;
      }
    }
  }
  return image;
}

function ridge(stage: Stage): Layer {
  const { palette, random, unit, height } = stage;
  const start = Math.floor(random() * 1e6);
  const top = Math.round(height * horizon - 74 * unit);
  const crest = distance(palette, 0.4);
  return slide(stage, "ridge", { speed: 3, top, height: 80 * unit }, (width, paintedHeight, u) => {
    const image = transparent(width, paintedHeight, crest);
    const line = Float64Array.from(
      { length: width },
      (_, x) => (4 + 68 * clouded(x / (300 * u), 0.5, start, 3)) * u,
    );
    fillBelow(image, line, (at) => mix(crest, palette.skyLow, at * 0.5));
    return image;
  });
}

function tree(stage: Stage, { x, tall }: { x: number; tall: number }): Layer {
  const { palette, random, unit } = stage;
  const size = tall * unit;
  const place = {
    x: stage.width * x,
    y: stage.height * (horizon + 0.045) - size,
    width: size * 1.15,
    height: size * 1.08,
  };
  const [leaf, lit] = [
    mix(distance(palette, 0.85), [46, 74, 46], 0.3),
    mix(palette.skyLow, palette.light, 0.3),
  ];
  return lay(stage, "tree", place, (w, h, u) => {
    const image = transparent(w, h, leaf);
    const at = (dx: number, dy: number): Point => [w / 2 + dx * tall * u, h * 0.93 - dy * tall * u];
    limb(image, at(-0.34, 0), at(0.34, 0), [0.04 * tall * u, 0.04 * tall * u], leaf, 0.3);
    limb(image, at(-0.24, 0), at(0.24, 0), [0.06 * tall * u, 0.06 * tall * u], leaf, 0.3);
    limb(image, at(0, 0), at(0.01, 0.45), [0.07 * tall * u, 0.04 * tall * u], leaf);
    for (const side of [-1, 1])
      limb(image, at(0, 0.26), at(side * 0.18, 0.5), [0.035 * tall * u, 0.02 * tall * u], leaf);
    for (let puff = 0; puff < 190; puff++) {
      const [turn, far] = [random() * 2 * Math.PI, Math.sqrt(random())];
      const [dx, dy] = [Math.cos(turn) * far * 0.42, 0.62 + Math.sin(turn) * far * 0.27];
      const shade = mix(leaf, lit, Math.max(0, (dy - 0.55) * 0.7 + random() * 0.1));
      disc(image, at(dx, dy), (0.03 + 0.045 * random()) * tall * u, shade);
    }
    return image;
  });
}

function kite(stage: Stage): Layer {
  const { palette, random, unit } = stage;
  const [x, y] = [
    stage.width * between(random, 0.38, 0.56),
    stage.height * between(random, 0.14, 0.24),
  ];
  const path = {
    x: `${Math.round(x)}+${(44 * unit).toFixed(1)}*sin(t*0.8)`,
    y: `${Math.round(y)}+${(22 * unit).toFixed(1)}*sin(t*1.3)`,
  };
  return lay(stage, "kite", { ...path, width: 84 * unit, height: 120 * unit }, (w, h, u) => {
    const image = transparent(w, h, palette.accent);
    const at = (dx: number, dy: number): Point => [dx * u, dy * u];
    polygon(image, [at(50, 4), at(78, 34), at(44, 72), at(26, 26)], palette.accent);
    polygon(image, [at(50, 4), at(44, 72), at(26, 26)], mix(palette.accent, palette.light, 0.5));
    for (let step = 0; step < 20; step++) {
      const tail = (share: number) =>
        at(44 - 26 * share + 7 * Math.sin(share * 9), 72 + 44 * share);
      limb(
        image,
        tail(step / 20),
        tail((step + 1) / 20),
        [1.4 * u, 1.4 * u],
        mix(palette.second, palette.ground, 0.2),
      );
    }
    return image;
  });
}

const bladeFrames = 20;

/** The nearest stalks, one tile of them side by side, bowing in the wind. */
function blades(stage: Stage, crop: Crop): Layer {
  const { random, unit, width, height } = stage;
  const tall = 150;
  const plants = Array.from({ length: 110 }, () => ({
    x: random(),
    size: between(random, 0.4, 0.95),
    shade: random(),
    isFlower: random() > 0.86,
  }));
  const place = {
    x: 0,
    y: height - tall * unit,
    width,
    height: tall * unit,
    detail: 0.66,
    framesPerSecond: 12,
  };
  return lay(stage, "blades", place, (w, h, u) => {
    const image = transparent(w, h, crop.dark, loopOf(stage, bladeFrames, 12));
    const tile = Math.min(w, Math.ceil(640 * u));
    for (const [frame, view] of framesOf(image).entries()) {
      const drawn = transparent(tile, h, crop.dark);
      for (const { x, size, shade, isFlower } of plants) {
        const gust = Math.sin(2 * Math.PI * (frame / bladeFrames - x * 1)) * 0.5 + 0.6;
        const colour = ramp([crop.dark, crop.near, crop.bright], shade ** 1.6);
        blade(
          drawn,
          x * tile,
          size * h,
          gust * 26 * u * size,
          colour,
          u,
          isFlower ? crop.flower : undefined,
        );
      }
      for (let y = 0; y < h; y++) {
        for (let left = 0; left < w; left += tile) {
          const count = Math.min(tile, w - left) * 4;
          drawn.bytes.copy(view.bytes, (y * w + left) * 4, y * tile * 4, y * tile * 4 + count);
        }
      }
    }
    return image;
  });
}

/** A curved, tapering stalk; one that leaves the tile on the right comes in again on the left. */
function blade(
  image: Image,
  x: number,
  tall: number,
  bow: number,
  colour: Rgb,
  u: number,
  flower: Rgb | undefined,
) {
  const { width, height } = image;
  const rows = Math.floor(tall);
  for (let row = 0; row < rows; row++) {
    const share = row / rows;
    const middle = x + bow * share * share;
    const half = Math.max(0.5, 2.6 * u * (1 - share * 0.9));
    for (let column = Math.floor(middle - half); column <= middle + half; column++) {
      const inside = half - Math.abs(column + 0.5 - middle) + 0.5;
      blend(image, (column + width) % width, height - 1 - row, colour, Math.min(1, inside));
    }
  }
  if (!flower) return;
  for (const shift of [0, -width]) disc(image, [x + bow + shift, height - rows], 6 * u, flower);
}
