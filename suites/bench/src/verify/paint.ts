/** Numbers of 0 to 1, the same for each seed. */
function randomOf(seed: number): () => number {
  let state = (seed * 2_654_435_761) >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

type Colour = readonly [red: number, green: number, blue: number];

interface Shape {
  x: number;
  y: number;
  width: number;
  height: number;
  isRound: boolean;
  colour: Colour;
}

const shapesMax = 14;

/** Paints a picture of shapes before a sky, a different one for each seed, as RGBA. */
export function paint(seed: number, width: number, height: number): Buffer {
  const random = randomOf(seed + 1);
  const colour = (): Colour => [random() * 255, random() * 255, random() * 255];
  const [top, bottom] = [colour(), colour()];
  const shapes: Shape[] = Array.from({ length: shapesMax }, () => ({
    x: random(),
    y: random(),
    width: 0.05 + random() * 0.3,
    height: 0.05 + random() * 0.4,
    isRound: random() < 0.5,
    colour: colour(),
  }));
  const pixels = Buffer.alloc(4 * width * height, 255);
  for (let row = 0; row < height; row++)
    for (let column = 0; column < width; column++) {
      const [x, y] = [(column + 0.5) / width, (row + 0.5) / height];
      const shape = shapes.findLast((one) => covers(one, x, y));
      const at = 4 * (row * width + column);
      for (let channel = 0; channel < 3; channel++) {
        const [above = 0, below = 0] = [top[channel], bottom[channel]];
        pixels[at + channel] = shape?.colour[channel] ?? above + (below - above) * y;
      }
    }
  return pixels;
}

function covers({ x, y, width, height, isRound }: Shape, atX: number, atY: number): boolean {
  const [across, down] = [(atX - x) / width, (atY - y) / height];
  return isRound ? across ** 2 + down ** 2 < 1 : Math.abs(across) < 1 && Math.abs(down) < 1;
}
