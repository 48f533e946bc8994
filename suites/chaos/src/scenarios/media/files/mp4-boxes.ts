import assert from "node:assert";

/** A box of an ISO media file: its length, its name, what is in it. */
export function box(name: string, ...parts: Buffer[]): Buffer {
  const inside = Buffer.concat(parts);
  const head = Buffer.alloc(8);
  head.writeUInt32BE(8 + inside.length, 0);
  head.write(name, 4, "latin1");
  return Buffer.concat([head, inside]);
}

export function numbers(...values: number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length);
  for (const [index, value] of values.entries()) bytes.writeUInt32BE(value >>> 0, 4 * index);
  return bytes;
}

interface Box {
  name: string;
  from: number;
  to: number;
}

const containers = new Set(["moov", "trak", "mdia", "minf", "stbl", "edts", "dinf"]);

function boxesIn(file: Buffer, from: number, to: number): Box[] {
  const found: Box[] = [];
  for (let at = from; at + 8 <= to; ) {
    const size = file.readUInt32BE(at);
    const box = { name: file.toString("latin1", at + 4, at + 8), from: at, to: at + size };
    if (size < 8 || box.to > to) break;
    found.push(box);
    if (containers.has(box.name)) found.push(...boxesIn(file, at + 8, box.to));
    at = box.to;
  }
  return found;
}

/** Returns the contents of all boxes with a name, as windows into the file: writing there changes it. */
export function insides(file: Buffer, name: string): Buffer[] {
  const windows = boxesIn(file, 0, file.length)
    .filter((found) => found.name === name)
    .map(({ from, to }) => file.subarray(from + 8, to));
  assert(windows.length > 0, `no ${name} in the file`);
  return windows;
}

/**
 * Returns the video with another box in place of the first of a name, or without it. The media must
 * stand before the index (no faststart), so that nothing that points at it moves.
 */
export function replaced(file: Buffer, name: string, by: Buffer): Buffer {
  const boxes = boxesIn(file, 0, file.length);
  const target = boxes.find((found) => found.name === name);
  assert(target !== undefined, `no ${name} in the file`);
  const result = Buffer.concat([file.subarray(0, target.from), by, file.subarray(target.to)]);
  const grown = by.length - (target.to - target.from);
  for (const around of boxes)
    if (around.from < target.from && around.to >= target.to)
      result.writeUInt32BE(around.to - around.from + grown, around.from);
  return result;
}

/** The index (moov) of a video, as a box. */
export function boxOf(file: Buffer, name: string): Buffer {
  const found = boxesIn(file, 0, file.length).find((candidate) => candidate.name === name);
  assert(found !== undefined, `no ${name} in the file`);
  return file.subarray(found.from, found.to);
}

/** Returns the video with one second in every header field that has its duration. */
export function withLengthOneSecond(video: Buffer): Buffer {
  const lying = Buffer.from(video);
  const [movie] = insides(lying, "mvhd");
  assert(movie !== undefined);
  movie.writeUInt32BE(movie.readUInt32BE(12), 16);
  for (const track of insides(lying, "tkhd")) track.writeUInt32BE(movie.readUInt32BE(12), 20);
  for (const media of insides(lying, "mdhd")) media.writeUInt32BE(media.readUInt32BE(12), 16);
  return lying;
}
