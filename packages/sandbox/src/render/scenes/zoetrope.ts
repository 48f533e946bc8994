import type { Image, Random } from "../video/paint.ts";
import { mix, type Palette, type Rgb } from "../video/palettes.ts";
import {
  between,
  blend,
  box,
  disc,
  framesOf,
  glow,
  limb,
  opaque,
  type Point,
  polygon,
  shine,
  transparent,
} from "./draw.ts";
import { ease } from "./noise.ts";
import { type Layer, lay, loopOf, type PaintScene, type Stage } from "./stage.ts";

const poses = 24;
const cells = 9;
/** The size of a pose, in its own pixels; the drum and the wall show it larger and smaller. */
const pose = { width: 180, height: 120 };

/** A lit drum with a galloping horse all around, and its shadows on the wall. */
export const paintZoetrope: PaintScene = (stage) => {
  const { random, width, height, unit } = stage;
  const palette = roomPalette(stage.palette);
  const centre: Point = [width / 2, height * 0.56];
  const room = lay(stage, "room", { x: 0, y: 0, width, height, detail: 0.5 }, (w, h, u) => {
    const image = opaque(w, h);
    image.bytes.fill(Buffer.from(palette.ground.map(Math.round)));
    const at: Point = [w / 2, (centre[1] / height) * h];
    shine(image, at, 760 * u, mix(palette.skyMiddle, palette.accent, 0.25), 0.75);
    shine(image, at, 430 * u, mix(palette.accent, palette.light, 0.2), 0.55);
    return image;
  });
  const gallop = Array.from({ length: poses }, (_, at) => paintPose(at / poses));
  const wide = Math.min(640 * unit, width * 0.84);
  return [
    room,
    ...[0, 1].map((number) => shadow(stage, number, gallop, palette, random)),
    stand(stage, palette, centre, wide),
    drum(stage, palette, centre, wide, gallop),
  ];
};

/** A dark room, whatever the light outside. */
function roomPalette(palette: Palette): Palette {
  const ground = mix(mix(palette.ground, palette.skyTop, 0.25), [6, 4, 12], 0.55);
  return { ...palette, ground };
}

/** How opaque each pixel of a galloping horse is, at one moment of its stride. */
function paintPose(turn: number): Image {
  const image = transparent(pose.width, pose.height, [0, 0, 0]);
  const { width, height } = pose;
  const bob = 0.03 * Math.sin(2 * Math.PI * turn);
  const at = (x: number, y: number): Point => [x * width, (y + bob) * height];
  const part = (a: Point, b: Point, thick: readonly [number, number]) =>
    limb(image, a, b, [thick[0] * width, thick[1] * width], [0, 0, 0]);
  const pitch = 0.025 * Math.sin(2 * Math.PI * turn + 1);
  part(at(0.3, 0.4 + pitch), at(0.6, 0.41 - pitch), [0.165, 0.16]);
  part(at(0.42, 0.44), at(0.56, 0.44), [0.13, 0.15]);
  part(at(0.62, 0.38 - pitch), at(0.77, 0.19 - pitch), [0.14, 0.075]);
  part(at(0.77, 0.18 - pitch), at(0.9, 0.27 - pitch), [0.078, 0.044]);
  part(at(0.765, 0.15 - pitch), at(0.755, 0.08 - pitch), [0.03, 0.012]);
  for (let lock = 0; lock < 5; lock++) {
    const share = lock / 4;
    const root = at(0.63 + 0.13 * share, 0.32 - 0.16 * share - pitch);
    part(
      root,
      [root[0] - 0.055 * width, root[1] + 0.02 * height * Math.sin(2 * Math.PI * turn + lock)],
      [0.035, 0.008],
    );
  }
  let tail = at(0.24, 0.36 + pitch);
  for (let step = 1; step <= 6; step++) {
    const swish = 0.06 * Math.sin(2 * Math.PI * (turn - step * 0.09)) * (step / 6);
    const next = at(0.24 - 0.037 * step, 0.35 + 0.028 * step + swish);
    part(tail, next, [0.05 - step * 0.005, 0.045 - step * 0.006]);
    tail = next;
  }
  leg(image, at(0.28, 0.48 + pitch), turn, [0.1, 0.06], "hind");
  leg(image, at(0.31, 0.48 + pitch), turn + 0.12, [0.1, 0.06], "hind");
  leg(image, at(0.6, 0.5 - pitch), turn + 0.45, [0.075, 0.045], "fore");
  leg(image, at(0.57, 0.5 - pitch), turn + 0.58, [0.075, 0.045], "fore");
  return image;
}

function leg(
  image: Image,
  [x, y]: Point,
  turn: number,
  thick: readonly [number, number],
  which: "fore" | "hind",
) {
  const { width } = pose;
  const swing = Math.sin(2 * Math.PI * turn);
  const isLifted = Math.max(0, Math.cos(2 * Math.PI * turn));
  const upper = (which === "hind" ? 0.1 : 0.05) + 0.85 * swing;
  const lower = upper + (which === "hind" ? -0.25 : -0.1) - 1.25 * isLifted;
  const knee: Point = [x + Math.sin(upper) * 0.155 * width, y + Math.cos(upper) * 0.155 * width];
  const hoof: Point = [
    knee[0] + Math.sin(lower) * 0.165 * width,
    knee[1] + Math.cos(lower) * 0.165 * width,
  ];
  limb(image, [x, y], knee, [thick[0] * width, thick[1] * width], [0, 0, 0]);
  limb(image, knee, hoof, [thick[1] * width * 0.85, 0.026 * width], [0, 0, 0]);
  limb(
    image,
    hoof,
    [hoof[0] + Math.sin(lower + 0.7) * 0.03 * width, hoof[1] + 0.015 * width],
    [0.03 * width, 0.034 * width],
    [0, 0, 0],
  );
}

function opacityOf(image: Image, x: number, y: number): number {
  if (x < 0 || y < 0 || x >= image.width - 1 || y >= image.height - 1) return 0;
  const [left, top] = [Math.floor(x), Math.floor(y)];
  const [dx, dy] = [x - left, y - top];
  const at = (column: number, row: number) =>
    image.bytes[(row * image.width + column) * 4 + 3] ?? 0;
  const upper = at(left, top) * (1 - dx) + at(left + 1, top) * dx;
  const lower = at(left, top + 1) * (1 - dx) + at(left + 1, top + 1) * dx;
  return (upper * (1 - dy) + lower * dy) / 255;
}

/** The strip on the drum: seen from the side its cells narrow towards both edges. */
function drum(
  stage: Stage,
  palette: Palette,
  [x, y]: Point,
  wide: number,
  gallop: readonly Image[],
): Layer {
  const tall = wide * 0.46;
  const place = { x: x - wide / 2, y: y - tall * 0.62, width: wide, height: tall * 1.3 };
  return lay(stage, "drum", { ...place, detail: 0.66, framesPerSecond: 24 }, (w, h, u) => {
    const image = transparent(w, h, palette.ground, loopOf(stage, poses));
    for (const [frame, view] of framesOf(image).entries()) {
      const horse = gallop[frame];
      if (horse) paintDrum(view, horse, frame / poses, palette, u);
    }
    return image;
  });
}

function paintDrum(image: Image, horse: Image, turn: number, palette: Palette, u: number) {
  const { width, height } = image;
  const radius = width / 2 - 1;
  const bow = height * 0.09;
  const [top, foot] = [height * 0.13, height * 0.88];
  const paper = mix(palette.light, palette.accent, 0.28);
  const [ink, wood] = [
    mix(palette.ground, [0, 0, 0], 0.35),
    mix(palette.ground, palette.accent, 0.28),
  ];
  for (let x = 0; x < width; x++) {
    const across = (x + 0.5 - width / 2) / radius;
    if (Math.abs(across) >= 1) continue;
    const depth = Math.sqrt(1 - across * across);
    const around = (Math.asin(across) / (2 * Math.PI)) * cells + 100 - turn;
    const inCell = around - Math.floor(around);
    const light = 0.28 + 0.72 * depth;
    const [rise, fall] = [top + bow * depth, foot + bow * depth];
    for (let y = Math.floor(top - bow * depth); y < rise; y++)
      blend(
        image,
        x,
        y,
        mix(palette.light, palette.accent, 0.4),
        0.5 * (1 - Math.abs(across)) + 0.12,
      ); // the inside, lit
    for (let y = Math.floor(rise); y < fall && y < height; y++) {
      const down = (y - rise) / (fall - rise);
      const isRim = down < 0.05 || down > 0.95;
      const isSlit = down > 0.08 && down < 0.3 && Math.abs(inCell - 0.5) < 0.045;
      const seen = (down - 0.34) / 0.58;
      const inked = opacityOf(
        horse,
        (inCell * 1.06 - 0.03) * pose.width,
        (seen * 1.16 - 0.06) * pose.height,
      );
      let colour = mix(mix(paper, palette.accent, Math.abs(down - 0.6) * 0.9), ink, 1 - light);
      if (isRim) colour = mix(wood, palette.light, 0.18 * depth);
      else if (isSlit) colour = mix(palette.light, [255, 255, 255], 0.7);
      else if (down < 0.31) colour = mix(wood, ink, 0.35 + 0.4 * (1 - depth));
      else if (inked > 0) colour = mix(colour, ink, inked);
      blend(image, x, y, colour, Math.min(1, (1 - Math.abs(across)) * radius * 0.5, y + 1 - rise));
    }
  }
  if (u > 0.4)
    glow(image, [width / 2, foot - (foot - top) * 0.3], width * 0.4, palette.light, 0.14);
}

function stand(stage: Stage, palette: Palette, [x, y]: Point, wide: number): Layer {
  const wood = mix(palette.ground, palette.accent, 0.2);
  const place = {
    x: x - wide / 2,
    y: y + wide * 0.2,
    width: wide,
    height: stage.height - y - wide * 0.2,
  };
  return lay(stage, "stand", place, (w, h, u) => {
    const image = transparent(w, h, wood);
    const foot = Math.min(h - 4 * u, wide * 0.26 * (w / wide));
    for (let row = 0; row < 16; row++) {
      const half = (230 - row * 9) * u;
      const tint = mix(palette.accent, palette.ground, 0.5);
      limb(
        image,
        [w / 2 - half, foot],
        [w / 2 + half, foot],
        [row * 2 * u, row * 2 * u],
        tint,
        0.03,
      );
    }
    box(image, [w / 2 - 12 * u, 0], 24 * u, foot, wood);
    box(image, [w / 2 - 4 * u, 0], 6 * u, foot, mix(wood, palette.light, 0.3), 0.6);
    polygon(
      image,
      [
        [w / 2 - 16 * u, foot - 34 * u],
        [w / 2 + 16 * u, foot - 34 * u],
        [w / 2 + 110 * u, foot],
        [w / 2 - 110 * u, foot],
      ],
      wood,
    );
    disc(image, [w / 2, foot - 40 * u], 20 * u, mix(wood, palette.light, 0.1));
    box(image, [w / 2 - 124 * u, foot - 6 * u], 248 * u, 12 * u, mix(wood, palette.light, 0.08));
    return image;
  });
}

/** A large, soft shadow of the horse that runs along the wall. */
function shadow(
  stage: Stage,
  number: number,
  gallop: readonly Image[],
  palette: Palette,
  random: Random,
): Layer {
  const { unit, width, height } = stage;
  const size = (number === 0 ? 430 : 300) * unit;
  const from = width * (number === 0 ? between(random, -0.1, 0.05) : between(random, 0.55, 0.7));
  const path = {
    x: `${Math.round(from)}+${(34 * unit).toFixed(2)}*t`,
    y: height * (number === 0 ? 0.1 : 0.16),
  };
  const colour: Rgb = mix(palette.ground, [0, 0, 0], 0.4);
  const place = { ...path, width: size, height: size * 0.67, detail: 0.25, framesPerSecond: 24 };
  return lay(stage, `shadow${number}`, place, (w, h) => {
    const image = transparent(w, h, colour, loopOf(stage, poses));
    for (const [frame, view] of framesOf(image).entries()) {
      const horse = gallop[frame];
      if (!horse) continue;
      for (let y = 0; y < h; y++) {
        for (let x = 0; x < w; x++) {
          const dark = opacityOf(horse, (x / w) * pose.width, (y / h) * pose.height);
          view.bytes[(y * w + x) * 4 + 3] = 255 * 0.34 * ease(dark);
        }
      }
    }
    return image;
  });
}
