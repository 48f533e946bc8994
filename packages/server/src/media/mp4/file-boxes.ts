import { Unusual, unless } from "./unusual.ts";

/** Ten minutes at 60 frames a second with audio have an index of about 1 MiB. */
const moovBytesMax = 4 * 1024 * 1024;
const ftypBytesMax = 1024;
/** Contains the parameter sets of the first frame, if it has its own. */
const mdatHeadBytesMax = 64 * 1024;
const boxesMax = 32;
const skipped: readonly string[] = ["free", "skip", "wide", "uuid"];

/** The parts that are kept of a file while it is streamed. */
export interface FileBoxes {
  ftyp: Buffer;
  moov: Buffer;
  /** The position of the media data in the file, and its first bytes. */
  mdat: { from: number; to: number; head: Buffer };
}

interface Kept {
  bytes: Buffer;
  filled: number;
}

interface Reading {
  /** Position in the file. */
  at: number;
  boxes: number;
  header: Buffer;
  headerFilled: number;
  /** Bytes of the current box that are still to come. */
  left: number;
  keep: Kept | null;
  kept: Map<string, Kept>;
  mdat: { from: number; to: number } | null;
}

/**
 * Reads the outermost boxes of an MP4 from the chunks of a stream. Memory is bounded by what is kept,
 * whatever sizes the file states and however small its chunks are. `push` and `end` throw `Unusual`.
 */
export function readFileBoxes() {
  const reading: Reading = {
    at: 0,
    boxes: 0,
    header: Buffer.alloc(16),
    headerFilled: 0,
    left: 0,
    keep: null,
    kept: new Map(),
    mdat: null,
  };
  return {
    push(chunk: Buffer): void {
      for (let from = 0; from < chunk.length; )
        from +=
          reading.left > 0 ? passBody(reading, chunk, from) : passHeader(reading, chunk, from);
    },
    end(): FileBoxes {
      const { left, headerFilled, kept, mdat } = reading;
      unless(left === 0 && headerFilled === 0, "it ends inside a box");
      const [ftyp, moov, head] = ["ftyp", "moov", "mdat"].map((name) => kept.get(name)?.bytes);
      unless(ftyp !== undefined && moov !== undefined, "no ftyp or no moov");
      unless(head !== undefined && mdat !== null, "no mdat");
      return { ftyp, moov, mdat: { ...mdat, head } };
    },
  };
}

function passBody(reading: Reading, chunk: Buffer, from: number): number {
  const count = Math.min(reading.left, chunk.length - from);
  const { keep } = reading;
  if (keep !== null) keep.filled += chunk.copy(keep.bytes, keep.filled, from, from + count);
  reading.left -= count;
  reading.at += count;
  return count;
}

function passHeader(reading: Reading, chunk: Buffer, from: number): number {
  const { header } = reading;
  const need = reading.headerFilled >= 8 ? 16 : 8;
  const count = chunk.copy(header, reading.headerFilled, from, from + need - reading.headerFilled);
  reading.headerFilled += count;
  reading.at += count;
  const isLong = reading.headerFilled >= 8 && header.readUInt32BE(0) === 1;
  if (reading.headerFilled === (isLong ? 16 : 8)) beginBox(reading, isLong);
  return count;
}

function beginBox(reading: Reading, isLong: boolean): void {
  const { header, kept } = reading;
  const name = header.toString("latin1", 4, 8);
  const size = isLong ? Number(header.readBigUInt64BE(8)) : header.readUInt32BE(0);
  const left = size - reading.headerFilled;
  unless(Number.isSafeInteger(size) && left >= 0, "a box without a size");
  unless(++reading.boxes <= boxesMax, "many boxes");
  unless((name === "ftyp") === (reading.boxes === 1), "ftyp is not first");
  Object.assign(reading, { headerFilled: 0, left, keep: null });
  if (skipped.includes(name)) return;
  unless(!kept.has(name), `more than one ${name}`);
  const bytes = Buffer.alloc(keptBytesOf(name, left));
  reading.keep = { bytes, filled: 0 };
  kept.set(name, reading.keep);
  if (name === "mdat") reading.mdat = { from: reading.at, to: reading.at + left };
}

function keptBytesOf(name: string, bytes: number): number {
  if (name === "mdat") return Math.min(bytes, mdatHeadBytesMax);
  const bytesMax = name === "moov" ? moovBytesMax : ftypBytesMax;
  if (name !== "moov" && name !== "ftyp") throw new Unusual(`a box ${printable(name)}`);
  unless(bytes <= bytesMax, `a large ${name}`);
  return bytes;
}

/** A name from the file as it may stand in a log. */
export function printable(name: string): string {
  return name.replace(/[^\w ]/g, "?");
}
