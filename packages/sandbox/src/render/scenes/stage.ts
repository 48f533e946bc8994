import { blend, disc, opaque, type Point, ramp, shine, transparent } from "./draw.ts";
import { clouded, ease } from "./noise.ts";
import { type Image, mix, type Palette, type Random, type Rgb } from "./paint.ts";

export const framesPerSecond = 24;

/** An image pulled through the frame; positions are ffmpeg expressions of `t`, in seconds. */
export interface Layer {
  name: string;
  image: Image;
  width: number;
  height: number;
  x: string;
  y: string;
}

/** The canvas on which a scene is painted. Lengths are multiplied by `unit`, a 720th of the short side. */
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
}

/** A layer at its place; `paint` gets the painted size and what a unit is in painted pixels. */
export function lay(
  stage: Stage,
  name: string,
  place: Place,
  paint: (width: number, height: number, unit: number) => Image,
): Layer {
  const { x, y, width, height, detail = 1 } = place;
  const scale = stage.scale * detail;
  const [paintedWidth, paintedHeight] = [Math.ceil(width * scale), Math.ceil(height * scale)];
  const image = paint(Math.max(1, paintedWidth), Math.max(1, paintedHeight), stage.unit * scale);
  const size = { width: Math.ceil(width), height: Math.ceil(height) };
  const coordinate = (at: number | string) => (typeof at === "number" ? `${Math.round(at)}` : at);
  return { name, image, ...size, x: coordinate(x), y: coordinate(y) };
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

export interface SkyPlan {
  /** The end of the sky, as a share of the height. */
  horizon: number;
  /** Below the horizon, from there to the foot. */
  below?: readonly [Rgb, Rgb];
  /** Sun or moon: where, and its diameter in units. */
  light: { at: Point; diameter: number };
  /** The amount of light around it. */
  glow?: number;
}

/** The sky with its light. Noise of one step hides the bands of 8-bit video. */
export function paintSky(stage: Stage, plan: SkyPlan): Layer {
  const { palette } = stage;
  const place = { x: 0, y: 0, width: stage.width, height: stage.height };
  return lay(stage, "sky", place, (width, height, unit) => {
    const image = opaque(width, height);
    const horizon = height * plan.horizon;
    const above = [palette.skyTop, palette.skyMiddle, palette.skyLow] as const;
    const below = plan.below ?? [palette.skyLow, palette.skyLow];
    let state = stage.seed | 1;
    for (let y = 0; y < height; y++) {
      const isAbove = y < horizon;
      const depth = isAbove ? (y / horizon) ** 1.15 : (y - horizon) / (height - horizon);
      const [red, green, blue] = ramp(isAbove ? above : below, depth);
      for (let at = y * width * 3; at < (y + 1) * width * 3; at += 3) {
        state = Math.imul(state, 1_664_525) + 1_013_904_223;
        const dither = (state >>> 8) / 2 ** 24;
        image.bytes[at] = Math.min(255, red + dither);
        image.bytes[at + 1] = Math.min(255, green + dither);
        image.bytes[at + 2] = Math.min(255, blue + dither);
      }
    }
    if (palette.starry) scatterStars(image, stage, horizon, unit);
    paintLight(image, stage, plan, unit);
    return image;
  });
}

function paintLight(image: Image, { palette, width }: Stage, plan: SkyPlan, unit: number) {
  const { light, glow = 1 } = plan;
  const scale = image.width / width;
  const place: Point = [light.at[0] * scale, light.at[1] * scale];
  const halo = mix(palette.light, palette.skyLow, 0.5);
  shine(image, place, 560 * unit, halo, 0.42 * glow, 1.25);
  shine(image, place, (210 + light.diameter) * unit, palette.light, 0.5 * glow);
  disc(image, place, (light.diameter * unit) / 2, palette.light);
}

function scatterStars(image: Image, stage: Stage, horizon: number, unit: number) {
  const { random } = stage;
  const count = Math.round((image.width * horizon) / (2_600 * unit * unit));
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

/** Returns a colour from the haze of the distance, over the sky's own colour, to the dark nearest ground. */
export function distance({ skyLow, skyMiddle, ground }: Palette, nearness: number): Rgb {
  const middle = mix(mix(skyMiddle, ground, 0.35), skyLow, 0.08);
  return ramp([mix(skyLow, skyMiddle, 0.12), middle, ground], nearness);
}
