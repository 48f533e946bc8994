import type { Image, Random } from "../video/paint.ts";
import { mix, type Palette, type Rgb } from "../video/palettes.ts";
import { between, blend, fillBelow, limb, transparent } from "./draw.ts";
import { plant } from "./firs.ts";
import { clouded, ridged } from "./noise.ts";
import { clouds, type Layer, lay, type PaintScene, paintSky, type Stage, slide } from "./stage.ts";

const paintedSideMax = 350;
const deepSky: Rgb = [3, 4, 14];

/** A turning galaxy among stars, meteors, and somebody who looks up. */
export const paintGalaxy: PaintScene = (lit) => {
  const stage = { ...lit, palette: darkened(lit.palette) };
  const { palette, random, height } = stage;
  const sky = paintSky(stage, { horizon: 0.92, stars: 2.4 });
  const nebula = { top: 0, height: height * 0.9, speed: 2, size: 260 };
  const layers = [
    clouds(stage, "nebula", {
      ...nebula,
      cover: 0.5,
      colour: mix(palette.second, palette.skyTop, 0.72),
    }),
    clouds(stage, "glow", {
      ...nebula,
      speed: -3,
      cover: 0.44,
      colour: mix(lit.palette.skyLow, palette.skyTop, 0.74),
    }),
    spiral(stage),
    meteor(stage, "meteor", 0.5, between(random, 0.45, 0.7)),
    meteor(stage, "second", 2.6, between(random, 0.2, 0.4)),
    shore(stage),
  ];
  return [sky, ...layers];
};

function darkened(palette: Palette): Palette {
  return {
    ...palette,
    skyTop: mix(palette.skyTop, deepSky, 0.8),
    skyMiddle: mix(palette.skyMiddle, deepSky, 0.76),
    skyLow: mix(palette.skyMiddle, deepSky, 0.35),
    ground: mix(palette.ground, deepSky, 0.7),
    starry: true,
  };
}

function spiral(stage: Stage): Layer {
  const { random, unit, width, height } = stage;
  const wide = Math.min(width * 1.15, 1_080 * unit);
  const tall = wide * between(random, 0.46, 0.6);
  const x = Math.round((width - wide) * between(random, 0.3, 0.7));
  const y = Math.round(height * between(random, 0.38, 0.46) - tall / 2);
  const side = Math.ceil(Math.min(paintedSideMax, wide * stage.scale));
  const image = paintSpiral(side, stage.palette, random, stage.seed);
  const size = { width: Math.round(wide), height: Math.round(tall) };
  return { name: "spiral", image, ...size, x: String(x), y: String(y), turnSeconds: 48 };
}

function paintSpiral(side: number, palette: Palette, random: Random, seed: number): Image {
  const image = transparent(side, side, palette.second);
  const [arm, haze] = [
    mix(palette.second, palette.light, 0.3),
    mix(palette.accent, palette.light, 0.15),
  ];
  for (let y = 0; y < side; y++) {
    for (let x = 0; x < side; x++) {
      const [dx, dy] = [(2 * x) / side - 1, (2 * y) / side - 1];
      const far = Math.hypot(dx, dy);
      if (far >= 1) continue;
      const turn = Math.atan2(dy, dx) + 5.2 * Math.log(far + 0.07);
      const cloud = clouded(6 + dx * 5, 6 + dy * 5, seed, 4);
      const inArm = (0.5 + 0.5 * Math.cos(2 * turn + cloud * 2.2)) ** 2.4;
      const edge = (1 - far) ** 1.3;
      const dust = (0.1 + 0.9 * inArm) * edge * (0.25 + 1.15 * cloud);
      const core = Math.exp(-far * far * 34);
      const colour = mix(
        mix(haze, arm, Math.min(1, far * 1.9)),
        palette.light,
        Math.min(1, core * 1.3),
      );
      blend(image, x, y, colour, Math.min(1, dust * 0.85 + core));
    }
  }
  for (let star = 0; star < 520; star++) {
    const far = random() ** 0.7 * 0.92;
    const turn =
      (random() > 0.5 ? 0 : Math.PI) - 5.2 * Math.log(far + 0.07) + (random() - 0.5) * 1.5;
    const [x, y] = [
      (1 + far * Math.cos(turn)) * (side / 2),
      (1 + far * Math.sin(turn)) * (side / 2),
    ];
    blend(image, Math.floor(x), Math.floor(y), [255, 255, 255], between(random, 0.3, 0.95));
  }
  return image;
}

/** A streak that crosses the sky once every few seconds and waits outside in between. */
function meteor(stage: Stage, name: string, start: number, from: number): Layer {
  const { unit, random, palette } = stage;
  const [x, y] = [
    Math.round(stage.width * from),
    Math.round(stage.height * between(random, 0.04, 0.2)),
  ];
  const run = (speed: number) => `${(speed * unit).toFixed(1)}*(mod(t,4.5)-${start})`;
  const isSeen = `between(mod(t,4.5),${start},${start + 0.7})`;
  const path = {
    x: `if(${isSeen},${x}-${run(620)},-${Math.ceil(200 * unit)})`,
    y: `${y}+${run(300)}`,
  };
  return lay(stage, name, { ...path, width: 170 * unit, height: 84 * unit }, (width, height, u) => {
    const image = transparent(width, height, palette.light);
    for (let step = 0; step < 24; step++) {
      const at = (share: number) =>
        [4 * u + share * (width - 8 * u), height - 4 * u - share * (height - 8 * u)] as const;
      const thick = 2.6 * u * (1 - step / 26);
      limb(
        image,
        at(step / 24),
        at((step + 1) / 24),
        [thick, thick],
        palette.light,
        0.9 * (1 - step / 24) ** 2,
      );
    }
    return image;
  });
}

function shore(stage: Stage): Layer {
  const { palette, random, height } = stage;
  const start = random() * 100;
  const top = Math.round(height * 0.8);
  const viewer = between(random, 0.25, 0.7);
  return slide(
    stage,
    "shore",
    { speed: 5, top, height: height - top },
    (paintedWidth, paintedHeight, u) => {
      const image = transparent(paintedWidth, paintedHeight, palette.ground);
      const line = Float64Array.from({ length: paintedWidth }, (_, x) => {
        return (46 + 62 * (1 - ridged(start + x / (520 * u), 3, 2))) * u;
      });
      fillBelow(image, line, () => palette.ground);
      plant(
        image,
        line.map((y, x) => (Math.abs(x / paintedWidth - viewer) < 0.16 ? paintedHeight * 2 : y)),
        42 * u,
        palette.ground,
        random,
      );
      const x = viewer * paintedWidth;
      const foot = (line[Math.floor(x)] ?? 0) + 2 * u;
      const at = (dx: number, dy: number) => [x + dx * u, foot - dy * u] as const;
      limb(image, at(-3, 0), at(0, 18), [3.4 * u, 4 * u], palette.ground);
      limb(image, at(4, 0), at(0, 18), [3.4 * u, 4 * u], palette.ground);
      limb(image, at(0, 17), at(0, 31), [7 * u, 8 * u], palette.ground);
      limb(image, at(-1, 38), at(-1, 38.5), [8 * u, 8 * u], palette.ground);
      limb(image, at(1, 30), at(13, 38), [3 * u, 2.4 * u], palette.ground);
      return image;
    },
  );
}
