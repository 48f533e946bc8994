import { pattern, render } from "@zoetrope/testkit/make-media.ts";
import { beforeAll, expect, test } from "vitest";
import { measureMp4 } from "./measure-mp4.ts";
import { printed } from "./span.ts";

let video: Buffer; // its index is last
beforeAll(async () => {
  video = await render("a.mp4", pattern({ size: "64x48", rate: 24, seconds: 2 }));
});

function measure(...chunks: Buffer[]) {
  const measuring = measureMp4();
  for (const chunk of chunks) measuring.push(chunk);
  return measuring.end();
}

function box(name: string, ...inside: Buffer[]): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(8 + inside.reduce((sum, { length }) => sum + length, 0));
  head.write(name, 4, "latin1");
  return Buffer.concat([head, ...inside]);
}

/** A box that states any size, in the long form. */
function longBox(name: string, size: bigint): Buffer {
  const head = Buffer.alloc(16);
  head.writeUInt32BE(1);
  head.write(name, 4, "latin1");
  head.writeBigUInt64BE(size, 8);
  return head;
}

const ftyp = box("ftyp", Buffer.from("isom\0\0\0\0isom", "latin1"));

function changed(name: string, at: number, ...values: number[]): Buffer {
  const copy = Buffer.from(video);
  const start = copy.indexOf(name, copy.indexOf("mvhd"));
  for (const [index, value] of values.entries()) copy.writeUInt32BE(value, start + at + 4 * index);
  return copy;
}

test("a video is measured in whatever chunks it arrives", () => {
  const whole = measure(video);
  expect(whole).toEqual({
    kind: "measured",
    facts: {
      type: "VIDEO",
      contentType: "video/mp4",
      extension: "mp4",
      width: 64,
      height: 48,
      durationMs: 2_000,
      frames: 48,
      videoCodec: "h264",
      audioCodec: "aac",
    },
  });
  expect(measure(...Array.from(video, (byte) => Buffer.from([byte])))).toEqual(whole);
});

test("every shorter file is unusual, also the empty one", () => {
  for (let length = 0; length < video.length; length += 1 + Math.floor(length / 50))
    expect(measure(video.subarray(0, length)).kind).toBe("unusual");
});

test.each<[what: string, file: () => Buffer[]]>([
  ["an index of 4 GB", () => [ftyp, Buffer.from("\xff\xff\xff\xffmoov", "latin1")]],
  ["an index of 2^63 bytes", () => [ftyp, longBox("moov", 2n ** 63n)]],
  ["an index of 2^64 - 1 bytes", () => [ftyp, longBox("moov", 2n ** 64n - 1n)]],
  ["a box shorter than its header", () => [ftyp, longBox("moov", 15n)]],
  ["a box without a size", () => [ftyp, Buffer.from("\0\0\0\0moov", "latin1")]],
  ["media data to the end", () => [ftyp, Buffer.from("\0\0\0\0mdat", "latin1"), video]],
  ["a type box of megabytes", () => [box("ftyp", Buffer.alloc(2 ** 21))]],
  ["two indexes", () => [video, video.subarray(video.indexOf("moov") - 4)]],
  ["an index that is nested deeply", () => [ftyp, box("mdat"), nested(100_000)]],
  ["another file", () => [Buffer.alloc(1_000, "something else")]],
])("%s is unusual", (_what, file) => {
  expect(measure(...file()).kind).toBe("unusual");
});

function nested(depth: number): Buffer {
  const bytes = Buffer.alloc(8 * depth);
  for (let at = 0; at < depth; at++) {
    bytes.writeUInt32BE(8 * (depth - at), 8 * at);
    bytes.write(at === 0 ? "moov" : "trak", 8 * at + 4, "latin1");
  }
  return bytes;
}

test("nothing is allocated for an index that is larger than the limit", () => {
  const before = process.memoryUsage().arrayBuffers;
  const measuring = Array.from({ length: 50 }, () => measureMp4());
  const header = Buffer.alloc(8);
  header.writeUInt32BE(4 * 1024 * 1024 + 9);
  header.write("moov", 4, "latin1");
  for (const each of measuring) each.push(Buffer.concat([ftyp, header]));
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(10_000_000);
  expect(measuring[0]?.end()).toEqual({ kind: "unusual", reason: "a large moov" });
});

test("of millions of tiny boxes a few dozen are read", () => {
  const measuring = measureMp4();
  measuring.push(ftyp);
  const chunk = Buffer.concat(Array<Buffer>(8_192).fill(box("free")));
  for (let chunks = 0; chunks < 500; chunks++) measuring.push(chunk);
  expect(measuring.end()).toEqual({ kind: "unusual", reason: "many boxes" });
  const index = box("moov", Buffer.concat(Array<Buffer>(500_000).fill(box("free"))));
  expect(measure(ftyp, box("mdat", Buffer.alloc(8)), index)).toEqual({
    kind: "unusual",
    reason: "many boxes",
  });
});

test.each<[what: string, name: string, at: number, values: number[], reason: string]>([
  ["samples", "stsz", 8, [1, 0xffffffff], "an unusual number of samples"],
  ["entries", "stts", 8, [0xffffffff], "a table of an unusual size"],
  ["frames of one length", "stts", 12, [0xffffffff], "times of other samples"],
  ["chunks", "stco", 8, [0xffffffff], "a table of an unusual size"],
  ["samples per chunk", "stsc", 16, [0xffffffff], "chunks of other samples"],
  ["edits", "elst", 8, [0xffffffff], "a table of an unusual size"],
  ["descriptions", "stsd", 8, [0xffffffff], "not one description"],
])("four thousand million %s are counted, not read", (_what, name, at, values, reason) => {
  expect(measure(changed(name, at, ...values))).toEqual({ kind: "unusual", reason });
});

test.each<[what: string, name: string, at: number, values: number[], reason: string]>([
  ["a quarter turn", "tkhd", 44, [0, 0x10000], "rotated or scaled"],
  ["a turned movie", "mvhd", 40, [0, 0x10000], "rotated or scaled"],
  ["a wider screen", "tkhd", 80, [100 << 16], "scaled"],
  ["a track that is off", "tkhd", 4, [0], "a track that is off"],
  ["wide pixels", "pasp", 4, [4, 3], "pixels that are not square"],
  ["no ticks", "mdhd", 16, [0], "an unusual timescale"],
  ["an edit that begins later", "elst", 16, [5_000], "an edit that hides frames"],
  ["an edit that ends early", "elst", 12, [500], "an edit that hides frames"],
  ["an empty edit", "elst", 16, [0xffffffff], "an empty edit"],
  ["another speed", "elst", 20, [0x8000], "another speed"],
  ["a frame of no length", "stts", 16, [0], "a sample without a length"],
  ["an offset before its frame", "ctts", 16, [0xffffff00], "an unusual order of frames"],
  ["a start without a key frame", "stss", 12, [2], "the first frame is not a key frame"],
  ["a frame of no bytes", "stsz", 16, [0], "an empty sample"],
  ["a frame larger than the file", "stsz", 16, [100_000_000], "samples outside the media data"],
  ["frames before the media data", "stco", 12, [8], "samples outside the media data"],
  ["another description", "stsc", 20, [2], "several descriptions"],
  ["media in another file", "url ", 4, [0], "media in another file"],
  ["fragments", "udta", 0, [0x6d766578], "a box mvex"],
  ["a text track", "soun", 0, [0x74657874], "not one video with at most one audio"],
])("%s is declined", (_what, name, at, values, reason) => {
  expect(measure(changed(name, at, ...values))).toEqual({ kind: "unusual", reason });
});

test("an encrypted video and other parameters in its first frame are declined", () => {
  const [encrypted, other] = [Buffer.from(video), Buffer.from(video)];
  encrypted.write("encv", encrypted.lastIndexOf("avc1"), "latin1");
  expect(measure(encrypted)).toEqual({ kind: "unusual", reason: "video of type encv" });
  const frame = other.indexOf("mdat") + 4;
  other.writeUInt32BE(8, frame);
  other.writeUInt8(0x67, frame + 4);
  expect(measure(other)).toEqual({
    kind: "unusual",
    reason: "other parameters in the first frame",
  });
});

test("frames that together last longer than a number can say are unusual", () => {
  const slow = changed("stts", 16, 0xffffffff);
  expect(measure(slow).kind).toBe("unusual");
});

test("whatever a byte is changed to, it is measured or unusual, and nothing is thrown", () => {
  const copy = Buffer.from(video);
  const kinds = new Set<string>();
  for (let at = copy.indexOf("mvhd"); at < copy.length; at++) {
    copy.writeUInt8(video.readUInt8(at) ^ (at % 2 === 0 ? 0x01 : 0xff), at);
    kinds.add(measure(copy).kind);
    copy.writeUInt8(video.readUInt8(at), at);
  }
  expect([...kinds].sort()).toEqual(["measured", "unusual"]);
});

test("times are rounded like those that ffprobe prints: half to even", () => {
  expect([1, 3, 5, 81 * 8].map((ticks) => printed(ticks, 128))).toEqual([
    0.007812, 0.023438, 0.039062, 5.0625,
  ]);
  expect(printed(1_001, 24_000)).toBe(0.041708);
});
