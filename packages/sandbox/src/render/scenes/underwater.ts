import { mix, type Palette } from "../video/palettes.ts";
import {
  between,
  blend,
  disc,
  fillBelow,
  framesOf,
  limb,
  type Point,
  transparent,
} from "./draw.ts";
import { clouded, ease, wave } from "./noise.ts";
import { paintFish, paintJelly } from "./sea-animals.ts";
import { type Layer, lay, loopOf, type PaintScene, paintSky, type Stage, softly } from "./stage.ts";

const rayFrames = 72;
const pulseFrames = 36;

/** Light from above, jellyfish, a shoal, and weed on the ground. */
export const paintUnderwater: PaintScene = (stage) => {
  const { random, unit, width, height } = stage;
  const palette = waterPalette(stage.palette);
  const sky = paintSky({ ...stage, palette }, { horizon: 1 });
  const jellies = [
    jelly(stage, "jelly0", { x: between(random, 0.52, 0.66), y: 0.26, size: 170 }),
    jelly(stage, "jelly1", { x: between(random, 0.24, 0.36), y: 0.44, size: 104 }),
    jelly(stage, "jelly2", { x: between(random, 0.76, 0.86), y: 0.52, size: 70 }),
  ];
  const shoal = paintShoal(stage, "shoal", {
    y: 0.2 + random() * 0.1,
    count: 16,
    speed: 34,
    size: 17,
    nearness: 0.45,
  });
  const near = { y: 0.62, count: 8, speed: -52, size: 28, nearness: 0.7 };
  const nearer = paintShoal(stage, "nearer", near);
  return [
    sky,
    rays(stage),
    shoal,
    bed(stage, "far", { top: 0.8, nearness: 0.5, weed: 60, sway: 3 }),
    ...jellies.slice(1),
    nearer,
    ...jellies.slice(0, 1),
    bubbles(stage, width, height, unit),
    bed(stage, "near", { top: 0.9, nearness: 0.92, weed: 150, sway: 7 }),
  ];
};

/** Bright at the surface, dark in the deep, whatever the sky above does. */
function waterPalette({ skyTop, skyMiddle, skyLow, light, ground, ...others }: Palette): Palette {
  return {
    ...others,
    ...{ light, ground, starry: false },
    skyTop: mix(mix(skyLow, light, 0.15), skyMiddle, 0.3),
    skyMiddle: mix(skyMiddle, skyTop, 0.35),
    skyLow: mix(skyTop, ground, 0.6),
  };
}

function rays(stage: Stage): Layer {
  const { palette, random, width, height } = stage;
  const beams = Array.from({ length: 9 }, () => ({
    x: between(random, -0.1, 1.1),
    half: between(random, 0.015, 0.06),
    lean: between(random, 0.12, 0.34),
    start: random(),
    cycles: random() > 0.5 ? 1 : 2,
  }));
  const place = {
    x: 0,
    y: 0,
    width,
    height: height * 0.86,
    detail: softly(stage, 140),
  };
  return lay(stage, "rays", { ...place, framesPerSecond: 18 }, (w, h) => {
    const image = transparent(w, h, palette.light, loopOf(stage, rayFrames, 18));
    for (const [frame, view] of framesOf(image).entries()) {
      const turn = frame / rayFrames;
      for (let y = 0; y < h; y++) {
        const deep = y / h;
        for (const { x, half, lean, start, cycles } of beams) {
          const middle = (x + lean * deep + 0.012 * wave(turn + start)) * w;
          const reach = half * w * (0.6 + 1.6 * deep);
          const strength = 0.3 * (0.5 + 0.5 * wave(cycles * turn + start)) * (1 - ease(deep));
          for (let column = Math.floor(middle - reach); column <= middle + reach; column++) {
            const near = 1 - Math.abs(column - middle) / reach;
            blend(view, column, y, palette.light, strength * ease(near));
          }
        }
      }
    }
    return image;
  });
}

function jelly(
  stage: Stage,
  name: string,
  { x, y, size }: { x: number; y: number; size: number },
): Layer {
  const { palette, unit, random } = stage;
  const [bell, rim] = [
    mix(palette.accent, palette.light, 0.35),
    mix(palette.second, palette.accent, 0.35),
  ];
  const path = {
    x: `${Math.round(stage.width * x)}+${(size * 0.1 * unit).toFixed(2)}*sin(t*0.6)`,
    y: `${Math.round(stage.height * y)}-${(size * 0.07 * unit).toFixed(2)}*t`,
  };
  const start = random();
  const box = {
    width: size * 1.2 * unit,
    height: size * 2.1 * unit,
    detail: 0.7,
    framesPerSecond: 24,
  };
  return lay(stage, name, { ...path, ...box }, (w, h, u) => {
    const image = transparent(w, h, bell, loopOf(stage, pulseFrames));
    for (const [frame, view] of framesOf(image).entries())
      paintJelly(view, size * u, frame / pulseFrames + start, bell, rim);
    return image;
  });
}

interface ShoalPlan {
  y: number;
  count: number;
  speed: number;
  size: number;
  nearness: number;
}

function paintShoal(stage: Stage, name: string, plan: ShoalPlan): Layer {
  const { palette, random, unit } = stage;
  const water = waterPalette(palette);
  const colour = mix(water.skyMiddle, palette.ground, plan.nearness);
  const wide = plan.size * 14;
  const fish = Array.from({ length: plan.count }, () => ({
    x: between(random, 0.08, 0.92) * wide,
    y: between(random, 0.1, 0.9) * plan.size * 6,
    size: plan.size * between(random, 0.7, 1.15),
    start: random(),
  }));
  const from = Math.round(
    stage.width * (plan.speed > 0 ? between(random, 0, 0.3) : between(random, 0.5, 0.8)),
  );
  const speed = (Math.abs(plan.speed) * unit).toFixed(2);
  const path = {
    x: `${from}${plan.speed > 0 ? "+" : "-"}${speed}*t`,
    y: Math.round(stage.height * plan.y),
  };
  const size = { width: wide * unit, height: plan.size * 6 * unit, framesPerSecond: 24 };
  return lay(stage, name, { ...path, ...size, detail: 0.8 }, (w, h, u) => {
    const image = transparent(w, h, colour, loopOf(stage, 12));
    for (const [frame, view] of framesOf(image).entries())
      for (const one of fish)
        paintFish(
          view,
          [one.x * u, one.y * u],
          one.size * u,
          Math.sign(plan.speed),
          frame / 12 + one.start,
          colour,
        );
    return image;
  });
}

function bubbles(stage: Stage, width: number, height: number, unit: number): Layer {
  const { palette, random } = stage;
  const path = {
    x: `${(6 * unit).toFixed(1)}*sin(t*1.4)`,
    y: `-mod(${(46 * unit).toFixed(2)}*t,${height})`,
  };
  return lay(stage, "bubbles", { ...path, width, height: height * 2 }, (w, h, u) => {
    const image = transparent(w, h, palette.light);
    for (let bubble = 0; bubble < 60; bubble++) {
      const [x, y, radius] = [random() * w, (random() * h) / 2, between(random, 1.2, 5) * u];
      for (const top of [0, h / 2]) {
        disc(image, [x, y + top], radius, palette.light, 0.16);
        disc(image, [x - radius * 0.3, y + top - radius * 0.3], radius * 0.3, [255, 255, 255], 0.6);
      }
    }
    return image;
  });
}

interface BedPlan {
  top: number;
  nearness: number;
  weed: number;
  sway: number;
}

/** The ground, with weed that leans to and fro. */
function bed(stage: Stage, name: string, plan: BedPlan): Layer {
  const { palette, random, unit, width, height } = stage;
  const water = waterPalette(palette);
  const colour = mix(water.skyLow, mix(palette.ground, [0, 0, 0], 0.3), plan.nearness);
  const start = Math.floor(random() * 1e6);
  const margin = Math.ceil(plan.sway * unit);
  const top = Math.round(height * plan.top - (plan.weed + 40) * unit);
  const path = { x: `-${margin}+${(plan.sway * unit).toFixed(2)}*sin(t*0.7)`, y: top };
  return lay(
    stage,
    name,
    { ...path, width: width + 2 * margin, height: height - top },
    (w, h, u) => {
      const image = transparent(w, h, colour);
      const line = Float64Array.from(
        { length: w },
        (_, x) => (plan.weed + 80 * clouded(x / (220 * u), 0.5, start, 3)) * u,
      );
      fillBelow(image, line, () => colour);
      for (let x = random() * 60 * u; x < w; x += between(random, 14, plan.weed * 1.6) * u) {
        const edge = Math.abs(x / w - 0.5) * 2;
        const tall = plan.weed * between(random, 0.3, 0.9) * (0.35 + 0.65 * edge) * u;
        const foot = (line[Math.floor(x)] ?? 0) + 3 * u;
        const lean = random() * 6;
        for (let step = 0; step < 18; step++) {
          const at = (share: number): Point => [
            x + Math.sin(share * 5 + lean) * 9 * u * share,
            foot - tall * share,
          ];
          const thick = plan.weed * 0.07 * u;
          limb(
            image,
            at(step / 18),
            at((step + 1) / 18),
            [thick * (1 - step / 20), thick * (1 - (step + 1) / 20)],
            colour,
          );
        }
      }
      return image;
    },
  );
}
