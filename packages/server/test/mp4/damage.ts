/** Changes to a good MP4: most of them contradict the rest of the file. */
export interface Damage {
  name: string;
  /** Null where the file has nothing to change. */
  of(bytes: Buffer, random: <Item>(items: readonly Item[]) => Item): Buffer | null;
}

/** The first place of that name in the index: before it the bytes may be anything. */
function placeOf(bytes: Buffer, name: string): number {
  return bytes.indexOf(name, name === "mdat" ? 0 : bytes.indexOf("mvhd"));
}

/** Writes 32-bit numbers, counted from the name of the first box of that name. */
function written(bytes: Buffer, name: string, at: number, ...values: number[]): Buffer | null {
  const start = placeOf(bytes, name);
  if (start < 0) return null;
  const copy = Buffer.from(bytes);
  for (const [index, value] of values.entries())
    copy.writeUInt32BE(value >>> 0, start + at + 4 * index);
  return copy;
}

function added(bytes: Buffer, name: string, at: number, by: number): Buffer | null {
  const start = placeOf(bytes, name);
  return start < 0 ? null : written(bytes, name, at, bytes.readUInt32BE(start + at) + by);
}

function renamed(bytes: Buffer, name: string, instead: string): Buffer | null {
  const start = placeOf(bytes, name);
  if (start < 0) return null;
  const copy = Buffer.from(bytes);
  copy.write(instead, start, "latin1");
  return copy;
}

/** The first number of a table's first entry is at 12 after the name: flags and count come before. */
const changes: Record<string, Damage["of"]> = {
  "media header declares nothing": (bytes) => written(bytes, "mdhd", 20, 0),
  "media header declares a tick less": (bytes) => added(bytes, "mdhd", 20, -1),
  "media header declares more": (bytes) => added(bytes, "mdhd", 20, 100_000),
  "media header declares half a frame less": (bytes) => added(bytes, "mdhd", 20, -200),
  "movie header declares a second": (bytes) => written(bytes, "mvhd", 20, 1_000),
  "track header declares a second": (bytes) => written(bytes, "tkhd", 24, 1_000),
  "ticks half as long": (bytes) => added(bytes, "mdhd", 16, 12_800),
  "coarse ticks": (bytes) => written(bytes, "mdhd", 16, 600),
  "ticks of a second": (bytes) => written(bytes, "mdhd", 16, 1),
  "no ticks": (bytes) => written(bytes, "mdhd", 16, 0),
  "odd ticks": (bytes) => written(bytes, "mdhd", 16, 12_801),
  "movie in odd ticks": (bytes) => written(bytes, "mvhd", 16, 997),
  "edit a little shorter": (bytes) => added(bytes, "elst", 12, -1),
  "edit shorter by frames": (bytes) => added(bytes, "elst", 12, -100),
  "edit longer": (bytes) => added(bytes, "elst", 12, 500),
  "edit of nothing": (bytes) => written(bytes, "elst", 12, 0),
  "edit begins a tick later": (bytes) => added(bytes, "elst", 16, 1),
  "edit begins a frame later": (bytes) => added(bytes, "elst", 16, 512),
  "edit begins far later": (bytes) => added(bytes, "elst", 16, 20_000),
  "edit begins at the start": (bytes) => written(bytes, "elst", 16, 0),
  "empty edit": (bytes) => written(bytes, "elst", 16, -1),
  "edit at half the speed": (bytes) => written(bytes, "elst", 20, 0x8000),
  "no edit in the list": (bytes) => written(bytes, "elst", 8, 0),
  "an edit list that is ignored": (bytes) => renamed(bytes, "edts", "free"),
  "a quarter turn": (bytes) => written(bytes, "tkhd", 44, 0, 0x10000, 0, -0x10000, 0),
  "half a turn": (bytes) => written(bytes, "tkhd", 44, -0x10000, 0, 0, 0, -0x10000),
  "a turned movie": (bytes) => written(bytes, "mvhd", 40, 0, 0x10000, 0, -0x10000, 0),
  stretched: (bytes) => written(bytes, "tkhd", 44, 0x20000),
  "wider on the screen": (bytes) => written(bytes, "tkhd", 80, 200 << 16),
  "no sides on the screen": (bytes) => written(bytes, "tkhd", 80, 0, 0),
  "half a pixel wider": (bytes) => added(bytes, "tkhd", 80, 0x8000),
  "another width in the index": (bytes) => added(bytes, "avc1", 28, 16 << 16),
  "another height in the index": (bytes) => added(bytes, "hev1", 28, 16),
  "wide pixels": (bytes) => written(bytes, "pasp", 4, 4, 3),
  "pixels of nothing": (bytes) => written(bytes, "pasp", 4, 0, 0),
  "large square pixels": (bytes) => written(bytes, "pasp", 4, 7, 7),
  "frames that last longer": (bytes) => added(bytes, "stts", 16, 77),
  "frames that last no time": (bytes) => written(bytes, "stts", 16, 0),
  "frames that last a day": (bytes) => written(bytes, "stts", 16, 0x7fffffff),
  "one frame less in time": (bytes) => added(bytes, "stts", 12, -1),
  "more frames in time": (bytes) => added(bytes, "stts", 12, 1_000),
  "all frames in time": (bytes) => written(bytes, "stts", 12, -1),
  "an offset more": (bytes) => added(bytes, "ctts", 16, 512),
  "a negative offset": (bytes) => written(bytes, "ctts", 16, -512),
  "offsets of other frames": (bytes) => added(bytes, "ctts", 12, 1),
  "first frame is not a key": (bytes) => added(bytes, "stss", 12, 1),
  "many more entries than bytes": (bytes) => written(bytes, "stts", 8, -1),
  "chunks far away": (bytes) => added(bytes, "stco", 12, 1_000_000_000),
  "chunks in the header": (bytes) => written(bytes, "stco", 12, 8),
  "chunks a byte later": (bytes) => added(bytes, "stco", 12, 1),
  "more samples per chunk": (bytes) => added(bytes, "stsc", 16, 1),
  "another description": (bytes) => written(bytes, "stsc", 20, 2),
  "samples of one size": (bytes) => written(bytes, "stsz", 8, 100),
  "a large sample": (bytes) => written(bytes, "stsz", 16, 100_000_000),
  "an empty sample": (bytes) => written(bytes, "stsz", 16, 0),
  "a sample less": (bytes) => added(bytes, "stsz", 12, -1),
  "in another file": (bytes) => written(bytes, "url ", 4, 0),
  encrypted: (bytes) => renamed(bytes, "avc1", "encv"),
  "parameters in the stream": (bytes) => renamed(bytes, "avc1", "avc3"),
  "no parameters": (bytes) => renamed(bytes, "avcC", "free"),
  "no HEVC parameters": (bytes) => renamed(bytes, "hvcC", "free"),
  "no AAC parameters": (bytes) => renamed(bytes, "esds", "free"),
  "audio as video": (bytes) => renamed(bytes, "soun", "vide"),
  "video as text": (bytes) => renamed(bytes, "vide", "text"),
  "a track that is off": (bytes) => written(bytes, "tkhd", 4, 0),
  "another track": (bytes) => renamed(bytes, "trak", "free"),
  "a packed index": (bytes) => renamed(bytes, "mvhd", "cmov"),
  "fragments announced": (bytes) => renamed(bytes, "udta", "mvex"),
  "media of no size": (bytes) => written(bytes, "mdat", -4, 0),
  "media of a size too large": (bytes) => added(bytes, "mdat", -4, 5_000),
  "media of a size too small": (bytes) => added(bytes, "mdat", -4, -500),
  "something after it": (bytes) => Buffer.concat([bytes, Buffer.alloc(100, "x")]),
  "zeros after it": (bytes) => Buffer.concat([bytes, Buffer.alloc(100)]),
  "free space after it": (bytes) => Buffer.concat([bytes, freeBox(1_000)]),
  "content credentials after it": (bytes) => Buffer.concat([bytes, freeBox(500, "uuid")]),
  "a fragment after it": (bytes) => Buffer.concat([bytes, freeBox(100, "moof")]),
  "one byte missing": (bytes) => bytes.subarray(0, -1),
  "half missing": (bytes) => bytes.subarray(0, bytes.length / 2),
};

function freeBox(size: number, name = "free"): Buffer {
  const box = Buffer.alloc(size);
  box.writeUInt32BE(size, 0);
  box.write(name, 4, "latin1");
  return box;
}

const bytesOf = (length: number) => Array.from({ length }, (_, value) => value);

/** A random byte between two places. */
function flipped(
  bytes: Buffer,
  [from, to]: [number, number],
  random: <Item>(items: readonly Item[]) => Item,
): Buffer {
  const copy = Buffer.from(bytes);
  const at = from + random(bytesOf(Math.max(1, to - from)));
  copy.writeUInt8((bytes.readUInt8(at) ^ random(bytesOf(255))) & 0xff || 1, at);
  return copy;
}

export const damages: readonly Damage[] = Object.entries(changes).map(([name, of]) => ({
  name,
  of,
}));

/** One byte of the index is another one; every second time one of the parameters of the codec. */
export const flips: readonly Damage[] = [
  {
    name: "a byte of the index",
    of: (bytes, random) => {
      const at = bytes.indexOf("moov");
      return flipped(bytes, [at, at - 4 + bytes.readUInt32BE(at - 4)], random);
    },
  },
  {
    name: "a byte of the description",
    of: (bytes, random) => {
      const at = bytes.indexOf("stsd");
      return flipped(bytes, [at, at - 4 + bytes.readUInt32BE(at - 4)], random);
    },
  },
  {
    name: "a byte of the first frame",
    of: (bytes, random) => {
      const at = bytes.indexOf("mdat") + 4;
      return flipped(bytes, [at, at + 64], random);
    },
  },
  {
    name: "cut",
    of: (bytes, random) => bytes.subarray(0, random(bytesOf(bytes.length))),
  },
];
