import { required, tableIn } from "./boxes.ts";
import { unless } from "./unusual.ts";

/** Ten minutes at 240 frames a second. */
const samplesMax = 150_000;
const offsetTicksMax = 2 ** 28;

const names = [
  "stsd",
  "stts",
  "ctts",
  "stss",
  "stsc",
  "stsz",
  "stco",
  "co64",
  "sgpd",
  "sbgp",
  "sdtp",
  "cslg",
] as const;
export const sampleTableNames: readonly (typeof names)[number][] = names;
type Boxes = Map<(typeof names)[number], Buffer[]>;

/** The times at which the samples of a track are decoded and shown, in ticks of the track. */
export interface SampleTimes {
  samples: number;
  /** The duration of each sample; null if they differ. */
  evenTicks: number | null;
  /** The duration of the first sample. */
  firstTicks: number;
  lastDecodedAt: number;
  totalTicks: number;
  /** Samples are shown in another order than they are decoded, or might be. */
  hasOffsets: boolean;
  firstShownAt: number;
  lastShownAt: number;
}

/** Reads when samples are shown. The number of steps is bounded by `samplesMax`. */
export function readTimes(boxes: Boxes): SampleTimes {
  const samples = readSizes(boxes).count;
  const lasting = readRuns(required(boxes, "stts"), samples);
  const [offsetBox] = boxes.get("ctts") ?? [];
  const offsets = offsetBox === undefined ? null : readRuns(offsetBox, samples);
  requireFirstKey(boxes);
  const times: SampleTimes = {
    samples,
    evenTicks: lasting[0] ?? 0,
    firstTicks: lasting[0] ?? 0,
    lastDecodedAt: 0,
    totalTicks: 0,
    hasOffsets: offsets !== null,
    firstShownAt: Number.MAX_SAFE_INTEGER,
    lastShownAt: 0,
  };
  for (let sample = 0; sample < samples; sample++) {
    const [ticks = 0, offset = 0] = [lasting[sample], offsets?.[sample]];
    unless(ticks > 0, "a sample without a length");
    unless(offset < offsetTicksMax, "an unusual order of frames");
    const shownAt = times.totalTicks + offset;
    times.firstShownAt = Math.min(times.firstShownAt, shownAt);
    times.lastShownAt = Math.max(times.lastShownAt, shownAt);
    times.lastDecodedAt = times.totalTicks;
    times.totalTicks += ticks;
    if (ticks !== times.evenTicks) times.evenTicks = null;
  }
  return times;
}

/** A list, or one size for all: silence has packets of one size. */
function readSizes(boxes: Boxes): { count: number; sizeOf(sample: number): number } {
  const box = required(boxes, "stsz");
  unless(box.length >= 12, "a table without a size");
  const [size, count] = [box.readUInt32BE(4), box.readUInt32BE(8)];
  unless(count > 0 && count <= samplesMax, "an unusual number of samples");
  unless(box.length === 12 + (size === 0 ? 4 * count : 0), "a table of an unusual size");
  return { count, sizeOf: (sample) => size || box.readUInt32BE(12 + 4 * sample) };
}

/** A value per sample, from runs of the same value that cover exactly all samples. */
function readRuns(box: Buffer, samples: number): Uint32Array {
  const values = new Uint32Array(samples);
  const { count, entries } = tableIn(box, 8);
  let filled = 0;
  for (let run = 0; run < count; run++) {
    const length = entries.readUInt32BE(8 * run);
    unless(length > 0 && length <= samples - filled, "times of other samples");
    values.fill(entries.readUInt32BE(8 * run + 4), filled, filled + length);
    filled += length;
  }
  unless(filled === samples, "times of other samples");
  return values;
}

function requireFirstKey(boxes: Boxes): void {
  const [box] = boxes.get("stss") ?? [];
  if (box === undefined) return; // all of them are key frames
  const { count, entries } = tableIn(box, 4);
  unless(count > 0 && entries.readUInt32BE(0) === 1, "the first frame is not a key frame");
}

/**
 * Checks that every sample is where the media data is, and gives the place of the first. A truncated file
 * has the same index as a whole one.
 */
export function requireSamplesIn(boxes: Boxes, mdat: { from: number; to: number }): number {
  const { count, sizeOf } = readSizes(boxes);
  const offsets = readOffsets(boxes);
  const perChunk = readRunsOfChunks(required(boxes, "stsc"), offsets.length);
  let sample = 0;
  for (const [chunk, offset] of offsets.entries()) {
    let end = offset;
    const until = sample + (perChunk[chunk] ?? 0);
    unless(until <= count, "chunks of other samples");
    for (; sample < until; sample++) {
      const size = sizeOf(sample);
      unless(size > 0, "an empty sample");
      end += size;
    }
    unless(offset >= mdat.from && end <= mdat.to, "samples outside the media data");
  }
  unless(sample === count, "chunks of other samples");
  return offsets[0] ?? 0;
}

function readOffsets(boxes: Boxes): Float64Array {
  const [short] = boxes.get("stco") ?? [];
  const [long] = boxes.get("co64") ?? [];
  unless((short === undefined) !== (long === undefined), "not one table of chunks");
  const { count, entries } =
    long === undefined ? tableIn(short ?? Buffer.alloc(0), 4) : tableIn(long, 8);
  unless(count > 0 && count <= samplesMax, "an unusual number of chunks");
  return Float64Array.from({ length: count }, (_, at) =>
    long === undefined ? entries.readUInt32BE(4 * at) : Number(entries.readBigUInt64BE(8 * at)),
  );
}

/** Samples per chunk, from runs that begin at a chunk each. */
function readRunsOfChunks(box: Buffer, chunks: number): Uint32Array {
  const values = new Uint32Array(chunks);
  const { count, entries } = tableIn(box, 12);
  let before = 0;
  for (let run = 0; run < count; run++) {
    const first = entries.readUInt32BE(12 * run);
    const samples = entries.readUInt32BE(12 * run + 4);
    unless(run === 0 ? first === 1 : first > before, "chunks out of order");
    unless(first <= chunks && samples > 0, "chunks of other samples");
    unless(entries.readUInt32BE(12 * run + 8) === 1, "several descriptions");
    const end = run + 1 < count ? entries.readUInt32BE(12 * (run + 1)) - 1 : chunks;
    values.fill(samples, first - 1, end);
    before = first;
  }
  return values;
}
