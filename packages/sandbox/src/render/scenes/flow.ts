import type { Image } from "../video/paint.ts";
import { mix, type Rgb } from "../video/palettes.ts";
import { between, framesOf, opaque, ramp } from "./draw.ts";
import { wave } from "./noise.ts";
import { lay, loopOf, type PaintScene, softly } from "./stage.ts";

const loopFrames = 96;
const longSide = 112;

interface Swirl {
  across: number;
  along: number;
  cycles: number;
  start: number;
}

/** Colours that flow into each other: soft as a gradient, or in folds like silk. */
export const paintFlow: PaintScene = (stage) => {
  const { random, width, height } = stage;
  const folds = random() > 0.5 ? between(random, 0.9, 1.5) : 0;
  const colours = spectrum(stage.palette, random);
  const swirls = Array.from({ length: 4 }, () => ({
    across: between(random, -1, 1),
    along: between(random, -1, 1),
    cycles: random() > 0.5 ? 1 : -1,
    start: random(),
  }));
  const detail = softly(stage, longSide);
  const place = { x: 0, y: 0, width, height, detail, framesPerSecond: 24 };
  const layer = lay(stage, "flow", place, (paintedWidth, paintedHeight) => {
    const image = opaque(paintedWidth, paintedHeight, loopOf(stage, loopFrames));
    const shades = Array.from({ length: 256 }, (_, at) => ramp(colours, at / 255));
    for (const [frame, view] of framesOf(image).entries())
      paintFrame(view, frame / loopFrames, swirls, shades, folds);
    return image;
  });
  return [layer];
};

function paintFrame(
  { width, height, bytes }: Image,
  turn: number,
  swirls: readonly Swirl[],
  shades: readonly Rgb[],
  folds: number,
) {
  const side = Math.min(width, height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      let u = x / side;
      let v = y / side;
      for (let at = 0; at < swirls.length; at++) {
        const swirl = swirls[at];
        if (!swirl) continue;
        const bend = wave(swirl.across * u + swirl.along * v + swirl.start + swirl.cycles * turn);
        u += 0.15 * bend * (swirl.along + 0.4);
        v += 0.15 * bend * (0.4 - swirl.across);
      }
      const fold = folds > 0 ? 0.09 * wave(folds * (u * 1.3 - v)) : 0;
      const shade = shades[Math.floor((0.5 + 0.41 * wave(0.36 * u + 0.3 * v + 0.1) + fold) * 255)];
      const at = (y * width + x) * 3;
      bytes[at] = shade?.[0] ?? 0;
      bytes[at + 1] = shade?.[1] ?? 0;
      bytes[at + 2] = shade?.[2] ?? 0;
    }
  }
}

function spectrum(
  { skyTop, skyMiddle, skyLow, accent, second, light }: Parameters<PaintScene>[0]["palette"],
  random: () => number,
): [Rgb, ...Rgb[]] {
  const bright = mix(accent, light, 0.2);
  const orders: [Rgb, ...Rgb[]][] = [
    [skyTop, skyMiddle, bright, skyLow, second],
    [second, skyTop, skyMiddle, bright, light],
    [skyTop, second, skyLow, bright, skyMiddle],
  ];
  return orders[Math.floor(random() * orders.length)] ?? [skyTop, skyLow];
}
