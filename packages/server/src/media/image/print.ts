/**
 * The perceptual hash of a picture: which of its 63 lowest frequencies, without the mean brightness, are
 * above their median. It survives re-encoding, scaling and small crops, and changes with a mirrored or a
 * differently framed picture. A print is the text of a positive 64-bit integer.
 */

/** The picture is compared as a grey square of this side. */
const printSide = 32;
/** The frequencies per axis that count. */
const frequencies = 8;
/** The least standard deviation, out of 255: below it, the bits are noise of the codec. */
const contrastMin = 4;
/**
 * The number of frequencies that must be larger than what a codec adds to one, in sums over the square. A
 * plain gradient has fewer: its other bits are noise.
 */
const tellingMin = 24;
const tellingSizeMin = 200;
const channels = 4;

const cosines = Float64Array.from({ length: frequencies * printSide }, (_, at) => {
  const [frequency, position] = [Math.floor(at / printSide), at % printSide];
  return Math.cos((Math.PI / printSide) * frequency * (position + 0.5));
});

/**
 * Returns the print of an opaque RGBA picture; null if it has too little structure for one. `margin` is
 * the share of each side by which the picture is extended on both ends, by repeating its edge: what a crop
 * has cut off looks much like it.
 */
export function printOfPixels(
  width: number,
  height: number,
  rgba: Uint8Array,
  margin = 0,
): string | null {
  const columns = overlapsOf(width, margin);
  const rows = overlapsOf(height, margin);
  const light = Float64Array.from({ length: width * height }, (_, pixel) => {
    const at = channels * pixel;
    return 0.299 * (rgba[at] ?? 0) + 0.587 * (rgba[at + 1] ?? 0) + 0.114 * (rgba[at + 2] ?? 0);
  });
  const grey = new Float64Array(printSide * printSide);
  for (const [y, rowsThere] of rows.entries())
    for (const [x, columnsThere] of columns.entries())
      for (const row of rowsThere)
        for (const column of columnsThere) {
          const value = light[row.at * width + column.at] ?? 0;
          grey[y * printSide + x] =
            (grey[y * printSide + x] ?? 0) + row.share * column.share * value;
        }
  return printOfGrey(grey);
}

function printOfGrey(grey: Float64Array): string | null {
  if (contrastOf(grey) < contrastMin) return null;
  const terms = termsOf(grey).slice(1);
  const telling = terms.filter((term) => Math.abs(term) > tellingSizeMin);
  if (telling.length < tellingMin) return null;
  const median = terms.toSorted((one, other) => one - other)[(terms.length - 1) / 2] ?? 0;
  let bits = 0n;
  for (const term of terms) bits = (bits << 1n) | (term > median ? 1n : 0n);
  return bits.toString();
}

/** The two-dimensional cosine transform, of the lowest frequencies alone. */
function termsOf(grey: Float64Array): number[] {
  const rows = new Float64Array(printSide * frequencies);
  for (let y = 0; y < printSide; y++)
    for (let u = 0; u < frequencies; u++) {
      let sum = 0;
      for (let x = 0; x < printSide; x++)
        sum += (grey[y * printSide + x] ?? 0) * (cosines[u * printSide + x] ?? 0);
      rows[y * frequencies + u] = sum;
    }
  return Array.from({ length: frequencies * frequencies }, (_, at) => {
    const [v, u] = [Math.floor(at / frequencies), at % frequencies];
    let sum = 0;
    for (let y = 0; y < printSide; y++)
      sum += (rows[y * frequencies + u] ?? 0) * (cosines[v * printSide + y] ?? 0);
    return sum;
  });
}

function contrastOf(grey: Float64Array): number {
  const mean = grey.reduce((sum, value) => sum + value, 0) / grey.length;
  const squares = grey.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return Math.sqrt(squares / grey.length);
}

/** The pixels of a side that each of `printSide` positions covers, with their shares of it. */
function overlapsOf(side: number, margin: number): { at: number; share: number }[][] {
  const step = (side * (1 + 2 * margin)) / printSide;
  return Array.from({ length: printSide }, (_, position) => {
    const from = position * step - margin * side;
    const to = from + step;
    const overlaps: { at: number; share: number }[] = [];
    for (let at = Math.floor(from); at < to; at++) {
      const share = (Math.min(to, at + 1) - Math.max(from, at)) / step;
      if (share > 0) overlaps.push({ at: Math.min(Math.max(at, 0), side - 1), share });
    }
    return overlaps;
  });
}
