import { type Image, mix, type Random, type Rgb } from "./paint.ts";

export type Point = readonly [x: number, y: number];

export function opaque(width: number, height: number, frames = 1): Image {
  const bytes = Buffer.alloc(width * height * 3 * frames);
  return { width, height, pixelFormat: "rgb24", bytes, frames };
}

/** Nothing yet, but where `tint` comes in the end: smooth edges must not fade into black. */
export function transparent(width: number, height: number, tint: Rgb, frames = 1): Image {
  const [red, green, blue] = tint.map(Math.round);
  const pixel = Buffer.from([red ?? 0, green ?? 0, blue ?? 0, 0]);
  const bytes = Buffer.alloc(width * height * 4 * frames, pixel);
  return { width, height, pixelFormat: "rgba", bytes, frames };
}

/** Views of the single frames of a loop; to draw into one is to draw into the loop. */
export function framesOf(image: Image): Image[] {
  const count = image.frames ?? 1;
  const length = image.bytes.length / count;
  return Array.from({ length: count }, (_, at) => ({
    ...image,
    frames: 1,
    bytes: image.bytes.subarray(at * length, (at + 1) * length),
  }));
}

/** Lays a colour over one pixel of an opaque or a transparent image. */
export function blend(image: Image, x: number, y: number, colour: Rgb, opacity: number) {
  if (x < 0 || y < 0 || x >= image.width || y >= image.height || opacity <= 0) return;
  const { bytes } = image;
  const share = Math.min(1, opacity);
  if (image.pixelFormat === "rgb24") {
    const at = (y * image.width + x) * 3;
    for (let part = 0; part < 3; part++) {
      const before = bytes[at + part] ?? 0;
      bytes[at + part] = before + ((colour[part] ?? 0) - before) * share + 0.5;
    }
    return;
  }
  const at = (y * image.width + x) * 4;
  const under = ((bytes[at + 3] ?? 0) / 255) * (1 - share);
  const total = share + under;
  for (let part = 0; part < 3; part++) {
    bytes[at + part] =
      ((colour[part] ?? 0) * share + (bytes[at + part] ?? 0) * under) / total + 0.5;
  }
  bytes[at + 3] = total * 255 + 0.5;
}

/** Adds light to an opaque image, strongest in the middle. */
export function shine(
  image: Image,
  [centreX, centreY]: Point,
  radius: number,
  colour: Rgb,
  strength: number,
  flatness = 1,
) {
  const { width, height, bytes } = image;
  const [top, bottom] = [Math.floor(centreY - radius / flatness), centreY + radius / flatness];
  for (let y = Math.max(0, top); y < Math.min(height, bottom); y++) {
    const dy = (y - centreY) * flatness;
    const half = Math.sqrt(Math.max(0, radius * radius - dy * dy));
    const right = Math.min(width, centreX + half);
    for (let x = Math.max(0, Math.floor(centreX - half)); x < right; x++) {
      const near = 1 - Math.sqrt((x - centreX) ** 2 + dy * dy) / radius;
      if (near <= 0) continue;
      const share = strength * near * near;
      const at = (y * width + x) * 3;
      for (let part = 0; part < 3; part++) {
        const before = bytes[at + part] ?? 0;
        bytes[at + part] = before + (255 - before) * ((colour[part] ?? 0) / 255) * share + 0.5;
      }
    }
  }
}

export function disc(image: Image, [x, y]: Point, radius: number, colour: Rgb, opacity = 1) {
  for (let row = Math.floor(y - radius - 1); row <= y + radius + 1; row++) {
    for (let column = Math.floor(x - radius - 1); column <= x + radius + 1; column++) {
      const inside = radius - Math.hypot(column + 0.5 - x, row + 0.5 - y) + 0.5;
      blend(image, column, row, colour, Math.min(1, inside) * opacity);
    }
  }
}

export function box(
  image: Image,
  [x, y]: Point,
  width: number,
  height: number,
  colour: Rgb,
  opacity = 1,
) {
  for (let row = Math.floor(y); row < y + height; row++) {
    const inRow = Math.min(1, row + 1 - y, y + height - row);
    for (let column = Math.floor(x); column < x + width; column++) {
      const inColumn = Math.min(1, column + 1 - x, x + width - column);
      blend(image, column, row, colour, inRow * inColumn * opacity);
    }
  }
}

const rowsPerPixel = 4;

/** A filled outline with smooth edges. */
export function polygon(image: Image, points: readonly Point[], colour: Rgb, opacity = 1) {
  const ys = points.map(([, y]) => y);
  const top = Math.max(0, Math.floor(Math.min(...ys)));
  const bottom = Math.min(image.height - 1, Math.ceil(Math.max(...ys)));
  const cover = new Float32Array(image.width);
  for (let row = top; row <= bottom; row++) {
    let [from, to] = [image.width, -1];
    for (let step = 0; step < rowsPerPixel; step++) {
      const crossings = crossingsAt(points, row + (step + 0.5) / rowsPerPixel);
      for (let at = 0; at + 1 < crossings.length; at += 2) {
        const left = Math.max(0, crossings[at] ?? 0);
        const right = Math.min(image.width, crossings[at + 1] ?? 0);
        for (let x = Math.floor(left); x < right; x++) {
          const inside = Math.min(x + 1, right) - Math.max(x, left);
          cover[x] = (cover[x] ?? 0) + inside / rowsPerPixel;
        }
        if (right > left) [from, to] = [Math.min(from, Math.floor(left)), Math.max(to, right)];
      }
    }
    for (let x = from; x <= Math.min(to, image.width - 1); x++) {
      blend(image, x, row, colour, (cover[x] ?? 0) * opacity);
      cover[x] = 0;
    }
  }
}

function crossingsAt(points: readonly Point[], y: number): number[] {
  const found: number[] = [];
  let [x0, y0] = points.at(-1) ?? [0, 0];
  for (const [x1, y1] of points) {
    if (y0 <= y !== y1 <= y) found.push(x0 + ((y - y0) / (y1 - y0)) * (x1 - x0));
    [x0, y0] = [x1, y1];
  }
  return found.sort((a, b) => a - b);
}

/** Everything below a line, in colours that change from the top of the image to its foot. */
export function fillBelow(image: Image, line: ArrayLike<number>, colourAt: (depth: number) => Rgb) {
  const { width, height, bytes } = image;
  for (let y = 0; y < height; y++) {
    const [red, green, blue] = colourAt(y / height);
    for (let x = 0; x < width; x++) {
      const inside = y + 1 - (line[x] ?? height);
      const at = (y * width + x) * 4;
      bytes[at] = red;
      bytes[at + 1] = green;
      bytes[at + 2] = blue;
      bytes[at + 3] = Math.min(1, Math.max(0, inside)) * 255;
    }
  }
}

/** The colour at a share of the way through several of them. */
export function ramp(colours: readonly [Rgb, ...Rgb[]], share: number): Rgb {
  const last = colours.length - 1;
  const place = Math.min(1, Math.max(0, share)) * last;
  const at = Math.min(last - 1, Math.floor(place));
  return mix(colours[at] ?? colours[0], colours[at + 1] ?? colours[0], place - at);
}

export function between(random: Random, least: number, most: number): number {
  return least + random() * (most - least);
}
