/** Smooth noise in [0, 1): the same at the same place for the same seed. */
export function noise(x: number, y: number, seed: number): number {
  const [left, top] = [Math.floor(x), Math.floor(y)];
  const [across, down] = [ease(x - left), ease(y - top)];
  const upper = hash(left, top, seed) * (1 - across) + hash(left + 1, top, seed) * across;
  const lower = hash(left, top + 1, seed) * (1 - across) + hash(left + 1, top + 1, seed) * across;
  return upper * (1 - down) + lower * down;
}

/** Noise of several sizes, each half as large and half as strong as the one before; in [0, 1). */
export function clouded(x: number, y: number, seed: number, octaves: number): number {
  let [sum, weight, total, scale] = [0, 1, 0, 1];
  for (let octave = 0; octave < octaves; octave++) {
    sum += weight * noise(x * scale, y * scale, seed + octave);
    total += weight;
    weight /= 2;
    scale *= 2;
  }
  return sum / total;
}

/** Sharp ridges and round valleys, in [0, 1]. */
export function ridged(x: number, seed: number, octaves: number): number {
  let [sum, weight, total, scale] = [0, 1, 0, 1];
  for (let octave = 0; octave < octaves; octave++) {
    const crest = 1 - Math.abs(2 * noise(x * scale, 0.5, seed + octave) - 1);
    sum += weight * crest * crest;
    total += weight;
    weight *= 0.48;
    scale *= 2.1;
  }
  return sum / total;
}

export function ease(share: number): number {
  const at = Math.min(1, Math.max(0, share));
  return at * at * (3 - 2 * at);
}

function hash(x: number, y: number, seed: number): number {
  let mixed = Math.imul(x, 0x27d4eb2d) ^ Math.imul(y, 0x165667b1) ^ Math.imul(seed, 0x9e3779b1);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return ((mixed ^ (mixed >>> 16)) >>> 0) / 2 ** 32;
}

const stepBits = 12;
const steps = 2 ** stepBits;
const sines = Float32Array.from({ length: steps }, (_, at) => Math.sin((2 * Math.PI * at) / steps));

/**
 * Adds a wave to a row: `size` high, at `start` turns in its first place and `turns` more in each
 * next one. Loops of frames need millions of these, so it counts in whole numbers that wrap around.
 */
export function addWave(row: Float32Array, size: number, start: number, turns: number) {
  let place = Math.floor((start - Math.floor(start)) * 2 ** 32) | 0;
  const step = Math.floor((turns - Math.floor(turns)) * 2 ** 32) | 0;
  for (let x = 0; x < row.length; x++) {
    row[x] = (row[x] ?? 0) + size * (sines[place >>> (32 - stepBits)] ?? 0);
    place = (place + step) | 0;
  }
}
