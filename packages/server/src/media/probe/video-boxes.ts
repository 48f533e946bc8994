import { type FileHandle, open } from "node:fs/promises";

const boxesMax = 20_000;
const dataReferencesBytesMax = 64 * 1024;
const around = new Set(["moov", "trak", "mdia", "minf", "dinf"]);

/**
 * Whether an MP4 or MOV refers to media in another file, or compresses its index so that it could.
 * ffprobe ignores such references, another reader may not: then what was checked would not be what is
 * used.
 */
export async function pointsElsewhere(path: string): Promise<boolean> {
  await using file = await open(path);
  const { size } = await file.stat();
  const budget = { boxes: boxesMax };
  return await pointsElsewhereIn(file, 0, size, budget);
}

async function pointsElsewhereIn(
  file: FileHandle,
  from: number,
  to: number,
  budget: { boxes: number },
): Promise<boolean> {
  for (let at = from; at + 8 <= to; ) {
    if (--budget.boxes < 0) return true; // cannot be known
    const head = await bytesAt(file, at, 16);
    const name = head.toString("latin1", 4, 8);
    const isLong = head.readUInt32BE(0) === 1 && head.length === 16;
    const size = isLong ? Number(head.readBigUInt64BE(8)) : head.readUInt32BE(0);
    const inside = at + (isLong ? 16 : 8);
    const end = size === 0 ? to : Math.min(at + size, to);
    if (end < inside) return false; // not a box: what comes after it, nobody reads
    if (name === "rmra" || name === "cmov") return true;
    if (name === "dref" && (await hasForeignEntry(file, inside, end))) return true;
    if (around.has(name) && (await pointsElsewhereIn(file, inside, end, budget))) return true;
    at = end;
  }
  return false;
}

/** Every entry must carry the flag that says: in this file. */
async function hasForeignEntry(file: FileHandle, from: number, to: number): Promise<boolean> {
  if (to - from > dataReferencesBytesMax) return true;
  const entries = await bytesAt(file, from, to - from);
  for (let at = 8; at + 12 <= entries.length; ) {
    const size = entries.readUInt32BE(at);
    if (size < 12 || (entries.readUInt32BE(at + 8) & 1) === 0) return true;
    at += size;
  }
  return false;
}

async function bytesAt(file: FileHandle, at: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, at);
  return buffer.subarray(0, bytesRead);
}
