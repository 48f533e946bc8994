import type { Image, Random } from "../video/paint.ts";
import { mix, type Palette, type Rgb } from "../video/palettes.ts";
import {
  between,
  blend,
  disc,
  framesOf,
  opaque,
  type Point,
  ramp,
  shine,
  transparent,
} from "./draw.ts";
import { clouded, ease } from "./noise.ts";

/** An image pulled through the frame; positions are ffmpeg expressions of `t`, in seconds. */
export interface Layer {
  name: string;
  image: Image;
  width: number;
  height: number;
  x: string;
  y: string;
  /** How many of the images of a loop are shown in a second; 24 unless told. */
  framesPerSecond?: number;
  /** How many seconds the image takes for a full turn around its middle, if it turns. */
  turnSeconds?: number;
}

/** What a scene is painted on. Lengths are multiplied by `unit`, a 720th of the short side. */
export interface Stage {
  width: number;
  height: number;
  seconds: number;
  unit: number;
  /** Painted pixels for one of the video. */
  scale: number;
  palette: Palette;
  random: Random;
  seed: number;
}

/** Paints the layers of a scene; the first is opaque and fills the frame. */
export type PaintScene = (stage: Stage) => [Layer, ...Layer[]];

interface Place {
  x: number | string;
  y: number | string;
  width: number;
  height: number;
  /** Painted pixels for one of the video, of what is soft anyway. */
  detail?: number;
  framesPerSecond?: number;
  turnSeconds?: number;
}

/** A layer at its place; `paint` gets the painted size and what a unit is in painted pixels. */
export function lay(
  stage: Stage,
  name: string,
  place: Place,
  paint: (width: number, height: number, unit: number) => Image,
): Layer {
  const { x, y, width, height, detail = 1, ...motion } = place;
  const scale = stage.scale * detail;
  const [paintedWidth, paintedHeight] = [Math.ceil(width * scale), Math.ceil(height * scale)];
  const image = paint(Math.max(1, paintedWidth), Math.max(1, paintedHeight), stage.unit * scale);
  const size = { width: Math.ceil(width), height: Math.ceil(height) };
  return { name, image, ...size, x: coordinate(x), y: coordinate(y), ...motion };
}

function coordinate(value: number | string): string {
  return typeof value === "number" ? String(Math.round(value)) : value;
}

/** A strip that is pulled to the left (to the right if `speed` is negative) without an end. */
export function slide(
  stage: Stage,
  name: string,
  { speed, top, height, detail }: { speed: number; top: number; height: number; detail?: number },
  paint: (width: number, height: number, unit: number) => Image,
): Layer {
  const pixels = Math.abs(speed) * stage.unit;
  const travel = Math.ceil(pixels * stage.seconds);
  const x = speed < 0 ? `-${travel}+${pixels.toFixed(3)}*t` : `-${pixels.toFixed(3)}*t`;
  const place = { x, y: top, width: stage.width + travel, height, ...(detail && { detail }) };
  return lay(stage, name, place, paint);
}

/** How many frames of a loop are needed: a short video does not get to its end, an image has one. */
export function loopOf({ seconds }: Stage, frames: number, framesPerSecond = 24): number {
  return Math.min(frames, Math.max(1, seconds * framesPerSecond));
}

/** Painted pixels for one of the video, so that the long side of what is soft has `side` of them. */
export function softly({ width, height, scale }: Stage, side: number): number {
  return Math.min(0.5, side / Math.max(width, height) / scale);
}

export interface SkyPlan {
  /** Where the sky ends, as a share of the height. */
  horizon: number;
  /** Below the horizon, from there to the foot. */
  below?: readonly [Rgb, ...Rgb[]];
  /** Sun or moon: where, and its diameter in units; none if it is left out. */
  light?: { at: Point; diameter: number };
  /** How much light is around it. */
  glow?: number;
  stars?: number;
}

/** The sky with its light. Noise of one step hides the bands of 8-bit video. */
export function paintSky(stage: Stage, plan: SkyPlan): Layer {
  const { palette } = stage;
  const place = { x: 0, y: 0, width: stage.width, height: stage.height };
  return lay(stage, "sky", place, (width, height, unit) => {
    const image = opaque(width, height);
    const horizon = height * plan.horizon;
    const above: [Rgb, ...Rgb[]] = [palette.skyTop, palette.skyMiddle, palette.skyLow];
    const below = plan.below ?? [palette.skyLow];
    let state = stage.seed | 1;
    for (let y = 0; y < height; y++) {
      const colour =
        y < horizon
          ? ramp(above, (y / horizon) ** 1.15)
          : ramp(
              below.length > 1 ? below : [below[0], below[0]],
              (y - horizon) / (height - horizon),
            );
      const [red, green, blue] = colour;
      for (let at = y * width * 3; at < (y + 1) * width * 3; at += 3) {
        state = Math.imul(state, 1_664_525) + 1_013_904_223;
        const dither = (state >>> 8) / 2 ** 24;
        image.bytes[at] = Math.min(255, red + dither);
        image.bytes[at + 1] = Math.min(255, green + dither);
        image.bytes[at + 2] = Math.min(255, blue + dither);
      }
    }
    if (palette.starry) scatterStars(image, stage, horizon, plan.stars ?? 1, unit);
    if (plan.light) paintLight(image, stage, plan.light, plan.glow ?? 1, unit);
    return image;
  });
}

function paintLight(
  image: Image,
  { palette, width }: Stage,
  { at, diameter }: NonNullable<SkyPlan["light"]>,
  strength: number,
  unit: number,
) {
  const scale = image.width / width;
  const place: Point = [at[0] * scale, at[1] * scale];
  shine(image, place, 560 * unit, mix(palette.light, palette.skyLow, 0.5), 0.42 * strength, 1.25);
  shine(image, place, 210 * unit + diameter * unit, palette.light, 0.5 * strength);
  disc(image, place, (diameter * unit) / 2, palette.light);
}

function scatterStars(image: Image, stage: Stage, horizon: number, share: number, unit: number) {
  const { random } = stage;
  const count = Math.round((share * image.width * horizon) / (2_600 * unit * unit));
  for (let star = 0; star < count; star++) {
    const place: Point = [random() * image.width, random() ** 1.5 * horizon];
    const bright = random() ** 3;
    const fade = 1 - ease(place[1] / horizon);
    const radius = (0.45 + 0.85 * bright) * unit;
    const colour = mix([255, 255, 255], stage.palette.second, random() * 0.5);
    disc(image, place, Math.max(0.4, radius), colour, (0.25 + 0.75 * bright) * fade);
    if (bright > 0.75) shine(image, place, 7 * unit, colour, 0.5 * fade);
  }
}

/** Soft clouds that drift; `cover` is how much of the strip they fill. */
export function clouds(
  stage: Stage,
  name: string,
  plan: { top: number; height: number; speed: number; cover: number; colour: Rgb; size?: number },
): Layer {
  const start = Math.floor(stage.random() * 1e6);
  const place = { speed: plan.speed, top: plan.top, height: plan.height, detail: 1 / 3 };
  return slide(stage, name, place, (width, height, unit) => {
    const image = transparent(width, height, plan.colour);
    const size = (plan.size ?? 150) * unit;
    for (let y = 0; y < height; y++) {
      const edge = ease(Math.min(y, height - 1 - y) / (height * 0.4));
      for (let x = 0; x < width; x++) {
        const thick = clouded(x / (size * 2.4), y / size, start, 5) - (1 - plan.cover);
        if (thick > 0) blend(image, x, y, plan.colour, ease(thick * 3.2) * edge);
      }
    }
    return image;
  });
}

const birdFrames = 16;

/** From the haze of the distance, over the sky's own colour, to the dark nearest ground. */
export function distance({ skyLow, skyMiddle, ground }: Palette, nearness: number): Rgb {
  const middle = mix(mix(skyMiddle, ground, 0.35), skyLow, 0.08);
  return ramp([mix(skyLow, skyMiddle, 0.12), middle, ground], nearness);
}

/** A few birds that cross the sky, beating their wings. */
export function birds(stage: Stage, colour: Rgb, top: number): Layer {
  const { random, unit } = stage;
  const flock = Array.from({ length: 5 + Math.floor(random() * 5) }, (_, at) => ({
    x: 18 + at * between(random, 15, 24),
    y: between(random, 16, 74),
    size: between(random, 6, 10),
    beat: random(),
  }));
  const width = Math.max(...flock.map(({ x }) => x)) + 24;
  const from = between(random, 0.05, 0.5) * stage.width;
  const path = `${Math.round(from)}+${(22 * unit).toFixed(3)}*t`;
  const place = { x: path, y: top, width: width * unit, height: 96 * unit, framesPerSecond: 24 };
  return lay(stage, "birds", place, (paintedWidth, paintedHeight, u) => {
    const image = transparent(paintedWidth, paintedHeight, colour, loopOf(stage, birdFrames));
    for (const [frame, view] of framesOf(image).entries()) {
      for (const bird of flock) paintBird(view, bird, frame / birdFrames, colour, u);
    }
    return image;
  });
}

function paintBird(
  image: Image,
  { x, y, size, beat }: { x: number; y: number; size: number; beat: number },
  turn: number,
  colour: Rgb,
  unit: number,
) {
  const lift = Math.sin(2 * Math.PI * (turn + beat)) * 0.5 - 0.15;
  for (const side of [-1, 1]) {
    for (let step = 0; step < 12; step++) {
      const [a, b] = [step / 12, (step + 1) / 12];
      const rise = (at: number) => size * (lift * Math.sin(at * 2.2) + 0.12 * at);
      for (const at of [a, b]) {
        const place: Point = [(x + side * at * size) * unit, (y - rise(at)) * unit];
        disc(image, place, Math.max(0.5, (1.25 - 0.9 * at) * unit), colour, 0.8);
      }
    }
  }
}
