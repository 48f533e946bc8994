import { boxesIn, readLong, required, tableIn, versionOf } from "./boxes.ts";
import { readTimes, type SampleTimes, sampleTableNames } from "./sample-table.ts";
import { unless } from "./unusual.ts";

const timescaleMax = 10_000_000;
const identity = [0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000];

/** The part of the media that is shown, the only one. */
interface Edit {
  /** In ticks of the track. */
  from: number;
  lasts: number;
}

export interface Track {
  handler: string;
  /** The width in the track header. */
  width: number;
  height: number;
  /** Ticks per second. */
  timescale: number;
  /** The duration that the media header declares, in ticks. */
  declaredTicks: number;
  edit: Edit | null;
  table: ReturnType<typeof boxesIn<(typeof sampleTableNames)[number]>>;
  times: SampleTimes;
}

/** The movie header; gives its ticks per second, in which edits are measured. */
export function readMovieHeader(mvhd: Buffer): number {
  const isLong = versionOf(mvhd, [100, 112]) === 1;
  requireUpright(mvhd, isLong ? 48 : 36);
  return timescaleAt(mvhd, isLong ? 20 : 12);
}

export function readTrack(trak: Buffer, movieTimescale: number): Track {
  const boxes = boxesIn(trak, ["tkhd", "edts", "mdia", "udta"]);
  const media = boxesIn(required(boxes, "mdia"), ["mdhd", "hdlr", "minf"]);
  const inside = boxesIn(required(media, "minf"), ["vmhd", "smhd", "dinf", "stbl"]);
  requireOwnData(required(inside, "dinf"));
  const mdhd = required(media, "mdhd");
  const isLong = versionOf(mdhd, [24, 36]) === 1;
  const timescale = timescaleAt(mdhd, isLong ? 20 : 12);
  const declaredTicks = isLong ? readLong(mdhd, 24) : mdhd.readUInt32BE(16);
  const [edts] = boxes.get("edts") ?? [];
  const table = boxesIn(required(inside, "stbl"), sampleTableNames);
  return {
    handler: handlerOf(required(media, "hdlr")),
    ...sidesIn(required(boxes, "tkhd")),
    timescale,
    declaredTicks,
    table,
    times: readTimes(table),
    edit: edts === undefined ? null : readEdit(edts, timescale, movieTimescale),
  };
}

function timescaleAt(box: Buffer, at: number): number {
  const timescale = box.readUInt32BE(at);
  unless(timescale > 0 && timescale <= timescaleMax, "an unusual timescale");
  return timescale;
}

function handlerOf(hdlr: Buffer): string {
  unless(hdlr.length >= 12, "an unusual hdlr");
  return hdlr.toString("latin1", 8, 12);
}

function sidesIn(tkhd: Buffer): { width: number; height: number } {
  const isLong = versionOf(tkhd, [84, 96]) === 1;
  unless((tkhd.readUInt8(3) & 1) === 1, "a track that is off");
  requireUpright(tkhd, isLong ? 52 : 40);
  const at = isLong ? 88 : 76;
  return { width: tkhd.readUInt32BE(at) / 0x10000, height: tkhd.readUInt32BE(at + 4) / 0x10000 };
}

function requireUpright(box: Buffer, at: number): void {
  const isUpright = identity.every((value, cell) => box.readUInt32BE(at + 4 * cell) === value);
  unless(isUpright, "rotated or scaled");
}

/** Applies the rule of `pointsElsewhere` in `probe/video-boxes.ts` to one reference. */
function requireOwnData(dinf: Buffer): void {
  const dref = required(boxesIn(dinf, ["dref"]), "dref");
  unless(dref.length === 20 && dref.readUInt32BE(4) === 1, "media in another file");
  unless(dref.readUInt32BE(8) === 12 && dref.readUInt32BE(16) === 1, "media in another file");
}

/** One edit at normal speed that shows something. */
function readEdit(edts: Buffer, timescale: number, movieTimescale: number): Edit {
  const elst = required(boxesIn(edts, ["elst"]), "elst");
  unless(elst.length >= 8, "an unusual edit list");
  const isLong = elst.readUInt8(0) === 1;
  unless(isLong || elst.readUInt8(0) === 0, "an unusual edit list");
  const { count, entries } = tableIn(elst, isLong ? 20 : 12);
  unless(count === 1, "several edits");
  const ticks = isLong ? entries.readBigUInt64BE(0) : BigInt(entries.readUInt32BE(0));
  const from = isLong ? entries.readBigInt64BE(8) : BigInt(entries.readInt32BE(4));
  unless(from >= 0n && from <= 0xffff_ffffn, "an empty edit");
  unless(entries.readUInt32BE(isLong ? 16 : 8) === 0x10000, "another speed");
  const half = BigInt(movieTimescale) / 2n;
  const lasts = (ticks * BigInt(timescale) + half) / BigInt(movieTimescale);
  unless(lasts > 0n && lasts <= BigInt(Number.MAX_SAFE_INTEGER), "an unusual edit");
  return { from: Number(from), lasts: Number(lasts) };
}
