import { mix, type Palette, type Rgb } from "./palettes.ts";

/** A still image that ffmpeg reads as raw video of one frame. */
export interface Image {
  width: number;
  height: number;
  pixelFormat: "rgb24" | "rgba";
  bytes: Buffer;
}

/** A number in [0, 1); the same sequence for the same start. */
export type Random = () => number;

export function randomFrom(start: number): Random {
  let state = start >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function transparent(width: number, height: number): Image {
  return { width, height, pixelFormat: "rgba", bytes: Buffer.alloc(width * height * 4) };
}

function setPixel(image: Image, x: number, y: number, colour: Rgb, opacity: number) {
  const at = (y * image.width + x) * 4;
  image.bytes[at] = colour[0];
  image.bytes[at + 1] = colour[1];
  image.bytes[at + 2] = colour[2];
  image.bytes[at + 3] = Math.min(255, Math.max(0, opacity * 255));
}

/** The sky: three colours from top to horizon; noise of one step hides the bands of 8-bit video. */
export function paintSky(width: number, height: number, palette: Palette, random: Random): Image {
  const bytes = Buffer.alloc(width * height * 3);
  const horizon = height * 0.8;
  for (let y = 0; y < height; y++) {
    const depth = Math.min(1, y / horizon);
    const colour =
      depth < 0.55
        ? mix(palette.skyTop, palette.skyMiddle, depth / 0.55)
        : mix(palette.skyMiddle, palette.skyLow, (depth - 0.55) / 0.45);
    for (let at = y * width * 3; at < (y + 1) * width * 3; at += 3) {
      const noise = random() * 1.6 - 0.3;
      bytes[at] = Math.min(255, colour[0] + noise);
      bytes[at + 1] = Math.min(255, colour[1] + noise);
      bytes[at + 2] = Math.min(255, colour[2] + noise);
    }
  }
  if (palette.starry) paintStars(bytes, width, height, random);
  return { width, height, pixelFormat: "rgb24", bytes };
}

function paintStars(bytes: Buffer, width: number, height: number, random: Random) {
  const count = Math.round((width * height) / 4500);
  for (let star = 0; star < count; star++) {
    const x = Math.floor(random() * (width - 1));
    const y = Math.floor(random() ** 1.6 * height * 0.6);
    const glow = (0.25 + random() * 0.75) * (1 - y / (height * 0.65));
    const wide = random() > 0.85 ? 2 : 1;
    for (let dot = 0; dot < wide * wide; dot++) {
      const at = ((y + Math.floor(dot / wide)) * width + x + (dot % wide)) * 3;
      for (let part = 0; part < 3; part++) {
        bytes[at + part] = Math.min(255, (bytes[at + part] ?? 0) + 200 * glow);
      }
    }
  }
}

/** Sun or moon: a disc in its glow. */
export function paintLight(diameter: number, colour: Rgb): Image {
  const side = Math.ceil(diameter * 4);
  const image = transparent(side, side);
  const centre = side / 2;
  for (let y = 0; y < side; y++) {
    for (let x = 0; x < side; x++) {
      const distance = Math.hypot(x - centre, y - centre);
      const disc = diameter / 2 - distance + 0.5;
      const glow = Math.max(0, 1 - distance / centre) ** 2.2 * 0.55;
      setPixel(image, x, y, colour, Math.max(Math.min(1, disc) * 0.96, glow));
    }
  }
  return image;
}

/** Long thin clouds, soft at every edge. */
export function paintClouds(width: number, height: number, colour: Rgb, random: Random): Image {
  const image = transparent(width, height);
  const opacity = new Float32Array(width * height);
  const count = Math.max(3, Math.round(width / height));
  for (let cloud = 0; cloud < count; cloud++) {
    const centreX = random() * width;
    const centreY = height * (0.2 + random() * 0.6);
    const puffs = 4 + Math.floor(random() * 4);
    for (let puff = 0; puff < puffs; puff++) {
      const x = centreX + (random() - 0.5) * height * 1.3;
      const y = centreY + (random() - 0.5) * height * 0.12;
      const radius = height * (0.08 + random() * 0.1);
      addPuff(opacity, width, height, { x, y, radiusX: radius * 4.2, radiusY: radius });
    }
  }
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      setPixel(image, x, y, colour, 0.42 * (1 - Math.exp(-0.9 * (opacity[y * width + x] ?? 0))));
    }
  }
  return image;
}

interface Puff {
  x: number;
  y: number;
  radiusX: number;
  radiusY: number;
}

function addPuff(opacity: Float32Array, width: number, height: number, puff: Puff) {
  const left = Math.max(0, Math.floor(puff.x - puff.radiusX));
  const right = Math.min(width, Math.ceil(puff.x + puff.radiusX));
  const top = Math.max(0, Math.floor(puff.y - puff.radiusY));
  const bottom = Math.min(height, Math.ceil(puff.y + puff.radiusY));
  for (let y = top; y < bottom; y++) {
    for (let x = left; x < right; x++) {
      const dx = (x - puff.x) / puff.radiusX;
      const dy = (y - puff.y) / puff.radiusY;
      const inside = 1 - dx * dx - dy * dy;
      if (inside <= 0) continue;
      const at = y * width + x;
      opacity[at] = (opacity[at] ?? 0) + inside * inside;
    }
  }
}

export interface HillShape {
  /** Where the ridge lies on average, from the top of the strip. */
  baseY: number;
  swing: number;
  /** Length of the longest wave. */
  wave: number;
  /** Height of a tree; 0 for bare hills. */
  tree: number;
}

/** One strip of hills, wide enough to be pulled through the image. */
export function paintHills(
  width: number,
  height: number,
  shape: HillShape,
  colours: { ridge: Rgb; foot: Rgb },
  random: Random,
): Image {
  const image = transparent(width, height);
  const ridge = ridgeLine(width, shape, random);
  for (let y = 0; y < height; y++) {
    const colour = mix(colours.ridge, colours.foot, (y - shape.baseY) / (height - shape.baseY));
    for (let x = 0; x < width; x++) {
      const inside = y - (ridge[x] ?? height) + 0.5;
      if (inside > 0) setPixel(image, x, y, colour, Math.min(1, inside));
    }
  }
  return image;
}

function ridgeLine(width: number, shape: HillShape, random: Random): Float64Array {
  const waves = [1, 2.3, 5.1].map((rate) => ({
    step: (2 * Math.PI * rate) / shape.wave,
    start: random() * 2 * Math.PI,
    size: (shape.swing / rate) * (0.7 + random() * 0.6),
  }));
  const ridge = Float64Array.from({ length: width }, (_, x) =>
    waves.reduce((y, wave) => y + wave.size * Math.sin(x * wave.step + wave.start), shape.baseY),
  );
  if (shape.tree > 0) plantTrees(ridge, shape.tree, random);
  return ridge;
}

function plantTrees(ridge: Float64Array, tree: number, random: Random) {
  const ground = Float64Array.from(ridge);
  for (let x = 0; x < ground.length; x += tree * (0.18 + random() ** 3 * 2.4)) {
    const middle = Math.floor(x);
    const tall = tree * (0.45 + random() * 0.55);
    const half = Math.max(1, tall * 0.24);
    for (let dx = -Math.ceil(half); dx <= half; dx++) {
      const at = middle + dx;
      const top = (ground[middle] ?? 0) - tall * (1 - Math.abs(dx) / half);
      if (at >= 0 && at < ridge.length) ridge[at] = Math.min(ridge[at] ?? 0, top);
    }
  }
}

/** A striped hot-air balloon with its basket. */
export function paintBalloon(height: number, stripe: Rgb, gap: Rgb, basket: Rgb): Image {
  const radius = height * 0.33;
  const width = Math.ceil(radius * 2 + 4);
  const image = transparent(width, Math.ceil(height));
  const centreX = width / 2;
  const centreY = radius + 2;
  for (let y = 0; y < image.height; y++) {
    for (let x = 0; x < width; x++) {
      const dx = x - centreX;
      const dy = y - centreY;
      // below its middle the envelope narrows towards the basket
      const half =
        dy < 0 ? Math.sqrt(Math.max(0, radius ** 2 - dy ** 2)) : envelopeBelow(dy, radius);
      const inside = half - Math.abs(dx) + 0.5;
      if (half > 0 && inside > 0) {
        const turn = Math.asin(Math.max(-1, Math.min(1, dx / half)));
        const striped = Math.floor((turn / Math.PI + 0.5) * 7) % 2 === 0;
        const shade = 1 - 0.35 * Math.max(0, dx / radius) - 0.15 * Math.max(0, dy / radius);
        const colour = striped ? stripe : gap;
        setPixel(image, x, y, mix([0, 0, 0], colour, shade), Math.min(1, inside));
      } else if (inBasket(dx, y, height, radius)) {
        setPixel(image, x, y, basket, 1);
      }
    }
  }
  return image;
}

function envelopeBelow(dy: number, radius: number): number {
  const depth = dy / (radius * 1.45);
  return depth > 1 ? 0 : radius * (1 - depth ** 2) ** 0.8 * 0.82 + radius * 0.18 * (1 - depth);
}

function inBasket(dx: number, y: number, height: number, radius: number): boolean {
  const half = radius * 0.2;
  if (y > height * 0.9) return Math.abs(dx) <= half;
  const ropes =
    y > height * 0.76 && Math.abs(Math.abs(dx) - half * 0.8) < Math.max(0.6, height / 160);
  return ropes;
}
