/**
 * ThumbHash (https://evanw.github.io/thumbhash): an image of about 25 bytes that clients show until the
 * real one is loaded. Only what an opaque image needs.
 */

const brightnessTermsMax = 7;
const colourTerms = 3;

interface Channel {
  mean: number;
  /** Cosine terms from 0 to 1, in the order in which they are written. */
  terms: number[];
  scale: number;
}

/** `rgb`: three bytes per pixel, row by row. At most 100 pixels a side: more costs time and adds nothing. */
export function thumbhashOf(rgb: Uint8Array, width: number, height: number): Uint8Array {
  const side = Math.max(width, height);
  const across = Math.max(1, Math.round((brightnessTermsMax * width) / side));
  const down = Math.max(1, Math.round((brightnessTermsMax * height) / side));
  const pixels = { rgb, width, height };
  const brightness = encode(pixels, (r, g, b) => (r + g + b) / 3, {
    across: Math.max(3, across),
    down: Math.max(3, down),
  });
  const square = { across: colourTerms, down: colourTerms };
  const yellowBlue = encode(pixels, (r, g, b) => (r + g) / 2 - b, square);
  const redGreen = encode(pixels, (r, g) => r - g, square);
  const isLandscape = width > height;
  const means =
    Math.round(63 * brightness.mean) |
    (Math.round(31.5 + 31.5 * yellowBlue.mean) << 6) |
    (Math.round(31.5 + 31.5 * redGreen.mean) << 12) |
    (Math.round(31 * brightness.scale) << 18);
  const shape =
    (isLandscape ? down : across) |
    (Math.round(63 * yellowBlue.scale) << 3) |
    (Math.round(63 * redGreen.scale) << 9) |
    (Number(isLandscape) << 15);
  const header = [means & 255, (means >> 8) & 255, means >> 16, shape & 255, shape >> 8];
  const terms = [brightness, yellowBlue, redGreen].flatMap((channel) => channel.terms);
  return Uint8Array.from([...header, ...halfBytes(terms)]);
}

/** Four bits each, the first of a byte in its lower half. */
function halfBytes(terms: readonly number[]): number[] {
  const bytes: number[] = [];
  for (const [index, term] of terms.entries()) {
    const value = Math.round(15 * term);
    if (index % 2 === 0) bytes.push(value);
    else bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) | (value << 4);
  }
  return bytes;
}

/** The lowest terms of a cosine transform, in a triangle. */
function encode(
  { rgb, width, height }: { rgb: Uint8Array; width: number; height: number },
  mix: (r: number, g: number, b: number) => number,
  { across, down }: { across: number; down: number },
): Channel {
  const values = new Float64Array(width * height);
  for (let at = 0; at < values.length; at++) {
    const byte = (of: number) => (rgb[3 * at + of] ?? 0) / 255;
    values[at] = mix(byte(0), byte(1), byte(2));
  }
  const found: number[] = [];
  for (let row = 0; row < down; row++)
    for (let column = 0; column * down < across * (down - row); column++)
      found.push(termOf(values, width, height, column, row));
  const [mean = 0, ...rest] = found;
  const scale = rest.reduce((most, term) => Math.max(most, Math.abs(term)), 0);
  return {
    mean,
    scale,
    terms: rest.map((term) => (scale > 0 ? 0.5 + (0.5 / scale) * term : term)),
  };
}

function termOf(
  values: Float64Array,
  width: number,
  height: number,
  column: number,
  row: number,
): number {
  const waves = Float64Array.from({ length: width }, (_, x) =>
    Math.cos((Math.PI / width) * column * (x + 0.5)),
  );
  let sum = 0;
  for (let y = 0; y < height; y++) {
    const wave = Math.cos((Math.PI / height) * row * (y + 0.5));
    for (let x = 0; x < width; x++) sum += (values[x + y * width] ?? 0) * (waves[x] ?? 0) * wave;
  }
  return sum / (width * height);
}
