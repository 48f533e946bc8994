import { createReadStream } from "node:fs";
import { appendFile } from "node:fs/promises";
import { Transform, Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { LabelFrom } from "./aigc.ts";
import { labelMoov } from "./label-moov.ts";
import { beginsManifestStore, storeHeadBytes } from "./manifest-store.ts";
import { boxOf, Unusual } from "./mp4-boxes.ts";
import { labelXmp } from "./xmp.ts";

/** Ten minutes at 60 frames a second with audio have an index of about 1 MiB. */
const moovBytesMax = 4 * 1024 * 1024;
const headBytes = 8;
const idBytes = 16;
/** Version and flags, the purpose and the place of more hashes, before the store. */
const purposeAt = idBytes + 4;
const purpose = Buffer.from("manifest\0", "latin1");
const storeAt = purposeAt + purpose.length + 8;
/** The maximum number of outermost boxes of a usual file. */
const boxesMax = 32;
const xmpId = Buffer.from("be7acfcb97a942e89c71999491e3afac", "hex");
const manifestId = Buffer.from("d8fec3d61b0e483c92975828877ec481", "hex");
const usualNames: readonly string[] = ["ftyp", "moov", "mdat", "free", "skip", "wide", "uuid"];

export type Labelling =
  | { kind: "labelled"; aigc: string }
  /** The bytes are those of the source: its form is unusual. */
  | { kind: "unchanged"; reason: string }
  /** The bytes are those of the source: it has a C2PA manifest, which a label would break. */
  | { kind: "signed" }
  /** The file turned out to be unusual, or signed, after its index was labelled: it is no longer right. */
  | { kind: "broken"; reason: string; isSigned: boolean };

interface Reading {
  header: Buffer;
  headerFilled: number;
  boxes: number;
  /** Bytes of the current box that are still to come. */
  left: number;
  /** The index while it is collected, with its header. */
  moov: Buffer[] | null;
  /** The first bytes of the current box while they may tell of what kind it is. */
  head: Buffer | null;
  hasData: boolean;
  hasXmp: boolean;
  hasManifest: boolean;
  aigc: string | null;
  /** Set: everything passes as it is. */
  off: Exclude<Labelling, { kind: "labelled" }> | null;
}

/**
 * Labels an MP4 while it passes: the index gets the label, and an XMP packet follows it. Memory is bounded
 * by the largest usual index. `keepsSigned`: a file with a C2PA manifest passes unchanged.
 */
export function labelMp4(
  labelFrom: LabelFrom,
  { keepsSigned }: { keepsSigned: boolean },
): { stream: Transform; result(): Labelling; hasManifest(): boolean } {
  const reading: Reading = {
    header: Buffer.alloc(2 * headBytes),
    headerFilled: 0,
    boxes: 0,
    left: 0,
    moov: null,
    head: null,
    hasData: false,
    hasXmp: false,
    hasManifest: false,
    aigc: null,
    off: null,
  };
  const labeller = { reading, labelFrom, keepsSigned };
  const stream = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      for (let from = 0; from < chunk.length; ) {
        if (reading.off !== null) {
          this.push(chunk.subarray(from));
          break;
        }
        const part = reading.left > 0 ? passBody : passHeader;
        from += part(labeller, chunk.subarray(from), (bytes) => this.push(bytes));
      }
      done();
    },
    flush(done) {
      const { headerFilled, left, moov } = reading;
      if (headerFilled > 0) this.push(reading.header.subarray(0, headerFilled));
      for (const part of moov ?? []) this.push(part);
      if (reading.off === null && (headerFilled > 0 || left > 0))
        turnOff(reading, "it ends inside a box");
      done();
    },
  });
  return {
    stream,
    hasManifest: () => reading.hasManifest,
    result() {
      const { off, aigc } = reading;
      if (off !== null) return off;
      return aigc === null ? { kind: "unchanged", reason: "no moov" } : { kind: "labelled", aigc };
    },
  };
}

/** Whether an MP4 of a vendor has a C2PA manifest. */
export async function hasManifest(path: string): Promise<boolean> {
  const labelFrom: LabelFrom = () => ({ aigc: "{}", sourceType: "trainedAlgorithmicMedia" });
  const reading = labelMp4(labelFrom, { keepsSigned: false });
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  await pipeline(createReadStream(path), reading.stream, nowhere);
  return reading.hasManifest();
}

/** Adds an XMP packet to the end of an MP4 that our own ffmpeg wrote. */
export async function appendXmp(path: string, labelFrom: LabelFrom): Promise<void> {
  await appendFile(path, xmpBoxOf(labelFrom));
}

function xmpBoxOf(labelFrom: LabelFrom): Buffer {
  return boxOf("uuid", xmpId, Buffer.from(labelXmp(null, labelFrom)));
}

interface Labeller {
  reading: Reading;
  labelFrom: LabelFrom;
  keepsSigned: boolean;
}
type Push = (bytes: Buffer) => void;

function passBody(labeller: Labeller, rest: Buffer, push: Push): number {
  const { reading } = labeller;
  const part = rest.subarray(0, reading.left);
  reading.left -= part.length;
  if (reading.moov === null) push(part);
  else reading.moov.push(part);
  if (reading.head !== null) readHead(labeller, reading.head, part);
  if (reading.left === 0 && reading.moov !== null) passMoov(labeller, reading.moov, push);
  return part.length;
}

function passHeader(labeller: Labeller, rest: Buffer, push: Push): number {
  const { reading } = labeller;
  const { header } = reading;
  const need = reading.headerFilled >= headBytes ? 2 * headBytes : headBytes;
  const count = rest.copy(header, reading.headerFilled, 0, need - reading.headerFilled);
  reading.headerFilled += count;
  const isLong = reading.headerFilled >= headBytes && header.readUInt32BE(0) === 1;
  if (reading.headerFilled < (isLong ? 2 * headBytes : headBytes)) return count;
  const size = isLong ? Number(header.readBigUInt64BE(8)) : header.readUInt32BE(0);
  const name = header.toString("latin1", 4, headBytes);
  const bytes = Buffer.from(header.subarray(0, reading.headerFilled));
  Object.assign(reading, { headerFilled: 0, left: size - bytes.length, moov: null, head: null });
  beginBox(labeller, name, isLong);
  if (reading.moov === null) push(bytes);
  else reading.moov.push(bytes);
  return count;
}

function beginBox({ reading }: Labeller, name: string, isLong: boolean): void {
  reading.boxes += 1;
  const reason = faultOfBox(reading, name, isLong);
  if (reason !== null) turnOff(reading, reason);
  else if (name === "uuid") reading.head = Buffer.alloc(0);
  else if (name === "moov") reading.moov = [];
  else if (name === "mdat") reading.hasData = true;
}

/** Returns why a file with this box is not labelled while it passes. */
function faultOfBox(
  { boxes, left, aigc, hasData }: Reading,
  name: string,
  isLong: boolean,
): string | null {
  if (!Number.isSafeInteger(left) || left < 0) return "a box without a size";
  if (boxes > boxesMax) return "many boxes";
  if (!usualNames.includes(name)) return "a box of another kind";
  // What is before the index is not moved, and what is behind it is.
  if (name === "mdat" && hasData) return "more than one mdat";
  if (name !== "moov") return null;
  if (aigc !== null) return "more than one moov";
  return isLong || left > moovBytesMax || left === 0 ? "a large moov" : null;
}

function readHead({ reading, keepsSigned }: Labeller, before: Buffer, part: Buffer): void {
  const head = Buffer.concat([before, part.subarray(0, storeAt + storeHeadBytes - before.length)]);
  const isWhole = head.length === storeAt + storeHeadBytes || reading.left === 0;
  reading.head = isWhole ? null : head;
  if (!isWhole) return;
  const id = head.subarray(0, idBytes);
  if (id.equals(xmpId)) reading.hasXmp = true;
  if (!id.equals(manifestId)) return;
  if (!head.subarray(purposeAt, purposeAt + purpose.length).equals(purpose)) return;
  if (!beginsManifestStore(head.subarray(storeAt))) return;
  reading.hasManifest = true;
  if (!keepsSigned) return;
  if (reading.aigc === null) reading.off = { kind: "signed" };
  else reading.off = { kind: "broken", reason: "a manifest behind the index", isSigned: true };
}

function passMoov({ reading, labelFrom }: Labeller, parts: Buffer[], push: Push): void {
  const whole = Buffer.concat(parts);
  const body = whole.subarray(headBytes);
  reading.moov = null;
  try {
    const xmp = reading.hasXmp ? Buffer.alloc(0) : xmpBoxOf(labelFrom);
    const { moov, aigc } = labelMoov(body, labelFrom, reading.hasData ? null : xmp.length);
    reading.aigc = aigc;
    push(boxOf("moov", moov));
    push(xmp);
  } catch (error) {
    if (!(error instanceof Unusual || error instanceof RangeError)) throw error;
    turnOff(reading, error.message);
    push(whole);
  }
}

function turnOff(reading: Reading, reason: string): void {
  reading.off =
    reading.aigc === null
      ? { kind: "unchanged", reason }
      : { kind: "broken", reason, isSigned: false };
}
