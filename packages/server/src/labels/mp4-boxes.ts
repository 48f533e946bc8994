/** The form of a file is not the usual one: another program has to label it. */
export class Unusual extends Error {}

export interface Box {
  name: string;
  /** The box with its header. */
  whole: Buffer;
  body: Buffer;
}

const headBytes = 8;
const boxesMax = 1_000;

/** The boxes directly in a part of the index. */
export function boxesIn(bytes: Buffer): Box[] {
  const boxes: Box[] = [];
  for (let at = 0; at < bytes.length; ) {
    const size = at + headBytes <= bytes.length ? bytes.readUInt32BE(at) : 0;
    if (size < headBytes || at + size > bytes.length) throw new Unusual("a box of an unusual size");
    if (boxes.length >= boxesMax) throw new Unusual("many boxes");
    boxes.push({
      name: bytes.toString("latin1", at + 4, at + headBytes),
      whole: bytes.subarray(at, at + size),
      body: bytes.subarray(at + headBytes, at + size),
    });
    at += size;
  }
  return boxes;
}

export function boxOf(name: string, ...parts: readonly Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  return Buffer.concat([uint32(headBytes + body.length), Buffer.from(name, "latin1"), body]);
}

export function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
