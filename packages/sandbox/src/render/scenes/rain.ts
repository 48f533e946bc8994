import type { Image, Random } from "../video/paint.ts";
import { mix, type Rgb } from "../video/palettes.ts";
import { between, blend, framesOf, opaque, ramp, shine, transparent } from "./draw.ts";
import { wave } from "./noise.ts";
import { type Layer, lay, loopOf, type PaintScene, type Stage, softly } from "./stage.ts";

const loopFrames = 72;

interface Lamp {
  x: number;
  y: number;
  radius: number;
  colour: Rgb;
  start: number;
}

/** Lights out of focus behind a window, and drops on its glass. */
export const paintRain: PaintScene = (stage) => {
  const { width, height, random } = stage;
  const lamps = hangLamps(stage);
  const place = { x: 0, y: 0, width, height };
  const detail = softly(stage, 200);
  const street = lay(stage, "street", { ...place, detail, framesPerSecond: 24 }, (w, h) => {
    const image = opaque(w, h, loopOf(stage, loopFrames));
    for (const [frame, view] of framesOf(image).entries())
      paintStreet(view, stage, lamps, frame / loopFrames);
    return image;
  });
  const glass = lay(stage, "glass", place, (w, h, u) => {
    const image = transparent(w, h, stage.palette.skyTop);
    const behind = framesOf(street.image)[0] ?? street.image;
    for (let drop = 0; drop < 430; drop++)
      paintDrop(image, behind, {
        x: random() * w,
        y: random() * h,
        radius: dropRadius(random) * u,
      });
    return image;
  });
  const runs = Array.from({ length: 6 }, (_, at) => runningDrop(stage, at, street.image));
  return [street, glass, ...runs];
};

function dropRadius(random: Random): number {
  return 1.8 + random() ** 3.2 * 11;
}

function hangLamps({ palette, random }: Stage): Lamp[] {
  const colours = [
    palette.accent,
    palette.light,
    palette.second,
    mix(palette.accent, [255, 90, 70], 0.6),
  ];
  return Array.from({ length: 46 }, () => {
    const low = random();
    return {
      x: random(),
      y: 0.34 + 0.5 * low ** 1.6,
      radius: 0.009 + 0.04 * random() ** 1.6,
      colour: colours[Math.floor(random() * colours.length)] ?? palette.light,
      start: random(),
    };
  });
}

function paintStreet(image: Image, { palette }: Stage, lamps: readonly Lamp[], turn: number) {
  const { width, height, bytes } = image;
  const night = (colour: Rgb, share: number) => mix(colour, [6, 8, 18], share);
  const sky = [
    night(palette.skyTop, 0.5),
    night(palette.skyMiddle, 0.45),
    night(palette.skyLow, 0.55),
    night(palette.ground, 0.3),
  ] as const;
  for (let y = 0; y < height; y++) {
    const [red, green, blue] = ramp(sky, y / height);
    for (let at = y * width * 3; at < (y + 1) * width * 3; at += 3) {
      bytes[at] = red;
      bytes[at + 1] = green;
      bytes[at + 2] = blue;
    }
  }
  const side = Math.max(width, height);
  for (const { x, y, radius, colour, start } of lamps) {
    const pulse = 0.72 + 0.28 * wave(turn + start);
    const place = [x * width + 1.2 * wave(turn + start * 3), y * height] as const;
    bokeh(image, place[0], place[1], radius * side, colour, 0.5 * pulse);
    shine(image, place, radius * side * 2.6, colour, 0.26 * pulse);
    shine(
      image,
      [place[0], Math.min(height, height * 1.9 - place[1])],
      radius * side * 2,
      colour,
      0.16,
      0.4,
    );
  }
}

/** A disc of light out of focus: even, a little brighter at its rim. */
function bokeh(image: Image, x: number, y: number, radius: number, colour: Rgb, strength: number) {
  for (let row = Math.floor(y - radius - 1); row <= y + radius + 1; row++) {
    for (let column = Math.floor(x - radius - 1); column <= x + radius + 1; column++) {
      const far = Math.hypot(column - x, row - y);
      const inside = Math.min(1, (radius - far) / 2.4 + 0.5);
      blend(image, column, row, colour, strength * inside * (0.62 + 0.38 * (far / radius) ** 2));
    }
  }
}

interface Drop {
  x: number;
  y: number;
  radius: number;
}

/** A drop shows what is behind it upside down, with a dark edge above and a bright spot. */
function paintDrop(
  image: Image,
  behind: Image,
  { x, y, radius }: Drop,
  place = { x, y, of: image },
) {
  const [acrossMax, downMax] = [behind.width - 1, behind.height - 1];
  for (let row = Math.floor(y - radius * 1.2); row <= y + radius * 1.2; row++) {
    for (let column = Math.floor(x - radius); column <= x + radius; column++) {
      const [dx, dy] = [(column + 0.5 - x) / radius, (row + 0.5 - y) / (radius * 1.15)];
      const far = Math.hypot(dx, dy);
      if (far > 1) continue;
      const u = Math.min(
        acrossMax,
        Math.max(0, Math.round((place.x / place.of.width - dx * 0.16) * acrossMax)),
      );
      const v = Math.min(downMax, Math.max(0, Math.round((0.55 - dy * 0.5) * downMax)));
      const from = (v * behind.width + u) * 3;
      const seen: Rgb = [
        behind.bytes[from] ?? 0,
        behind.bytes[from + 1] ?? 0,
        behind.bytes[from + 2] ?? 0,
      ];
      const spot = Math.max(0, 1 - Math.hypot(dx + 0.32, dy + 0.38) * 3.4);
      const dark = Math.max(0, far - 0.55) * (dy < 0.2 ? 1.1 : 0.3);
      const lit = mix(mix(seen, [255, 255, 255], 0.22 + 0.24 * Math.max(0, dy)), [4, 6, 14], dark);
      const edge = Math.min(1, (1 - far) * radius * 0.7);
      blend(image, column, row, mix(lit, [255, 255, 255], spot * 0.9), edge * 0.92);
    }
  }
}

/** A drop that runs down, waits, and runs again; it leaves a clear trail. */
function runningDrop(stage: Stage, number: number, street: Image): Layer {
  const { random, unit, width, height } = stage;
  const [radius, tall] = [between(random, 6, 10), between(random, 120, 240)];
  const x = Math.round(width * (number + between(random, 0.2, 0.8)) * (1 / 6));
  const [speed, start] = [between(random, 90, 190) * unit, random() * height];
  const run = `${speed.toFixed(2)}*(t+0.42*sin(t*${between(random, 1.6, 2.3).toFixed(2)}))+${start.toFixed(0)}`;
  const full = Math.round(height + tall * unit * 1.2);
  const y = `mod(${run},${full})-${Math.round(tall * unit)}`;
  const place = { x, y, width: radius * 2.6 * unit, height: (tall + radius * 1.4) * unit };
  return lay(stage, `run${number}`, place, (w, h, u) => {
    const image = transparent(w, h, [255, 255, 255]);
    for (let row = 0; row < tall * u; row++) {
      const share = row / (tall * u);
      const half = radius * u * (0.2 + 0.4 * share);
      for (let column = Math.floor(w / 2 - half); column <= w / 2 + half; column++) {
        const edge = 1 - Math.abs(column - w / 2) / half;
        blend(image, column, row, [235, 242, 255], 0.2 * share * Math.min(1, edge * 2));
      }
    }
    const behind = framesOf(street)[0] ?? street;
    const drop = { x: w / 2, y: tall * u - radius * 0.2 * u, radius: radius * u };
    paintDrop(image, behind, drop, { x, y: 0, of: { ...image, width } });
    return image;
  });
}
