import { type FileHandle, open } from "node:fs/promises";

const boxesMax = 20_000;
const dataReferencesBytesMax = 64 * 1024;
const around = new Set(["moov", "trak", "mdia", "minf", "dinf"]);

const elsewhere = "refers to media in other files, which is not supported";

/**
 * The predicate of a sentence about an MP4 or MOV that refers to media in another file, or whose index
 * cannot be searched for such references; null for any other. ffprobe ignores them, another reader may
 * not: then what was checked would not be what is used.
 */
export async function faultOfBoxes(path: string): Promise<string | null> {
  await using file = await open(path);
  const { size } = await file.stat();
  return await faultWithin(file, 0, size, { boxes: boxesMax });
}

async function faultWithin(
  file: FileHandle,
  from: number,
  to: number,
  budget: { boxes: number },
): Promise<string | null> {
  for (let at = from; at + 8 <= to; ) {
    if (--budget.boxes < 0) return `has more than ${boxesMax} boxes in its index`;
    const head = await bytesAt(file, at, 16);
    const name = head.toString("latin1", 4, 8);
    const isLong = head.readUInt32BE(0) === 1 && head.length === 16;
    const size = isLong ? Number(head.readBigUInt64BE(8)) : head.readUInt32BE(0);
    const inside = at + (isLong ? 16 : 8);
    const end = size === 0 ? to : Math.min(at + size, to);
    if (end < inside) return null; // not a box: what comes after it, nobody reads
    if (name === "cmov") return "has a compressed index, which is not supported";
    if (name === "rmra") return elsewhere;
    if (name === "dref" && (await hasForeignEntry(file, inside, end))) return elsewhere;
    const fault = around.has(name) ? await faultWithin(file, inside, end, budget) : null;
    if (fault !== null) return fault;
    at = end;
  }
  return null;
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
