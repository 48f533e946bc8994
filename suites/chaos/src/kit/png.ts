import { randomBytes } from "node:crypto";
import { crc32, deflateSync } from "node:zlib";

const signature = Buffer.from("\x89PNG\r\n\x1a\n", "latin1");

export function chunk(name: string, inside: Buffer): Buffer {
  const bytes = Buffer.alloc(12 + inside.length);
  bytes.writeUInt32BE(inside.length, 0);
  bytes.write(name, 4, "latin1");
  inside.copy(bytes, 8);
  bytes.writeUInt32BE(crc32(bytes.subarray(4, 8 + inside.length)), 8 + inside.length);
  return bytes;
}

/** A grey PNG of any sides, one bit a pixel unless given, with other chunks before its pixels. */
export function png(
  width: number,
  height: number,
  { depth = 1, colour = 0, before = [], pixels = true }: PngOptions = {},
): Buffer {
  const channels = colour === 2 ? 3 : colour === 6 ? 4 : 1;
  const row = Buffer.alloc(1 + Math.ceil((width * depth * channels) / 8));
  const packed = pixels ? deflateSync(Buffer.alloc(row.length * height), { level: 1 }) : row;
  return assemble(width, height, [depth, colour], [...before, chunk("IDAT", packed)]);
}

/** A square image in RGB that does not compress. */
export function noisePng(side: number): Buffer {
  const rowBytes = 1 + 3 * side;
  const rows = randomBytes(rowBytes * side);
  for (let row = 0; row < side; row += 1) rows[row * rowBytes] = 0; // no filter
  return assemble(side, side, [8, 2], [chunk("IDAT", deflateSync(rows, { level: 0 }))]);
}

function assemble(width: number, height: number, kind: [number, number], chunks: Buffer[]): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set(kind, 8);
  return Buffer.concat([signature, chunk("IHDR", head), ...chunks, chunk("IEND", Buffer.alloc(0))]);
}

interface PngOptions {
  depth?: 1 | 8 | 16;
  /** 0 grey, 2 RGB, 6 RGB with alpha. */
  colour?: 0 | 2 | 6;
  before?: Buffer[];
  /** false: the header claims pixels that do not follow. */
  pixels?: boolean;
}

/** An unknown chunk, to reach a file size. */
function padding(bytes: number): Buffer {
  return chunk("paDd", Buffer.alloc(bytes - 12));
}

/** A PNG of exactly this many bytes. */
export function pngOfSize(width: number, height: number, bytes: number): Buffer {
  const bare = png(width, height);
  return png(width, height, { before: [padding(bytes - bare.length)] });
}

/** A text chunk that is small in the file and large in memory. */
export function textBomb(name: "zTXt" | "iTXt" | "iCCP", megabytes: number): Buffer {
  const packed = deflateSync(Buffer.alloc(megabytes * 1024 * 1024), { level: 1 });
  const heads = {
    zTXt: Buffer.from("Comment\0\0", "latin1"),
    iTXt: Buffer.from("Comment\0\x01\0\0\0", "latin1"),
    iCCP: Buffer.from("profile\0\0", "latin1"),
  };
  return chunk(name, Buffer.concat([heads[name], packed]));
}
