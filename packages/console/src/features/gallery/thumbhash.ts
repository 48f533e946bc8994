/** An image of at most 32 pixels a side, as RGBA bytes. */
export interface Blur {
  width: number;
  height: number;
  rgba: Uint8ClampedArray<ArrayBuffer>;
}

/** 25 bytes are the most that the format needs. */
const charactersMax = 100;

/** Decodes a ThumbHash in base64 to a blurred image. Returns null if the text is not one. */
export function decodeThumbhash(text: string | null): Blur | null {
  if (text === null || text.length > charactersMax) return null;
  try {
    const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
    return bytes.length < 5 ? null : render(bytes);
  } catch {
    return null;
  }
}

interface Channel {
  countX: number;
  countY: number;
  factors: number[];
}

function render(hash: Uint8Array): Blur {
  const at = (index: number) => hash[index] ?? 0;
  const header = at(0) | (at(1) << 8) | (at(2) << 16);
  const more = at(3) | (at(4) << 8);
  const hasAlpha = header >> 23 !== 0;
  const isLandscape = more >> 15 !== 0;
  const countX = Math.max(3, isLandscape ? (hasAlpha ? 5 : 7) : more & 7);
  const countY = Math.max(3, isLandscape ? more & 7 : hasAlpha ? 5 : 7);
  let nibble = 0;
  const start = hasAlpha ? 6 : 5;
  const readChannel = (x: number, y: number, scale: number): Channel => {
    const factors: number[] = [];
    for (let cy = 0; cy < y; cy++)
      for (let cx = cy > 0 ? 0 : 1; cx * y < x * (y - cy); cx++) {
        const value = (at(start + (nibble >> 1)) >> ((nibble & 1) << 2)) & 15;
        factors.push((value / 7.5 - 1) * scale);
        nibble++;
      }
    return { countX: x, countY: y, factors };
  };
  const lightness = readChannel(countX, countY, ((header >> 18) & 31) / 31);
  const p = readChannel(3, 3, (((more >> 3) & 63) / 63) * 1.25);
  const q = readChannel(3, 3, (((more >> 9) & 63) / 63) * 1.25);
  const alpha = hasAlpha ? readChannel(5, 5, (at(5) >> 4) / 15) : null;
  const base = {
    l: (header & 63) / 63,
    p: ((header >> 6) & 63) / 31.5 - 1,
    q: ((header >> 12) & 63) / 31.5 - 1,
    a: hasAlpha ? (at(5) & 15) / 15 : 1,
  };
  const ratio = (isLandscape ? countX : more & 7 || 1) / (isLandscape ? more & 7 || 1 : countY);
  const width = Math.round(ratio > 1 ? 32 : 32 * ratio);
  const height = Math.round(ratio > 1 ? 32 / ratio : 32);
  return paint(width, height, { lightness, p, q, alpha, base });
}

interface Layers {
  lightness: Channel;
  p: Channel;
  q: Channel;
  alpha: Channel | null;
  base: { l: number; p: number; q: number; a: number };
}

function paint(width: number, height: number, { lightness, p, q, alpha, base }: Layers): Blur {
  const rgba = new Uint8ClampedArray(width * height * 4);
  const columns = cosines(width);
  const rows = cosines(height);
  for (const [y, down] of rows.entries())
    for (const [x, across] of columns.entries()) {
      const light = base.l + sumOf(lightness, across, down);
      const tint = base.q + sumOf(q, across, down);
      const blue = light - (2 / 3) * (base.p + sumOf(p, across, down));
      const red = (3 * light - blue + tint) / 2;
      const place = (y * width + x) * 4;
      rgba[place] = red * 255;
      rgba[place + 1] = (red - tint) * 255;
      rgba[place + 2] = blue * 255;
      rgba[place + 3] = (base.a + (alpha === null ? 0 : sumOf(alpha, across, down))) * 255;
    }
  return { width, height, rgba };
}

function cosines(size: number): number[][] {
  return Array.from({ length: size }, (_, place) =>
    Array.from({ length: 7 }, (_, wave) => Math.cos((Math.PI / size) * (place + 0.5) * wave)),
  );
}

function sumOf({ countX, countY, factors }: Channel, across: number[], down: number[]): number {
  let sum = 0;
  let next = 0;
  for (let cy = 0; cy < countY; cy++) {
    const twice = (down[cy] ?? 0) * 2;
    for (let cx = cy > 0 ? 0 : 1; cx * countY < countX * (countY - cy); cx++)
      sum += (factors[next++] ?? 0) * (across[cx] ?? 0) * twice;
  }
  return sum;
}
