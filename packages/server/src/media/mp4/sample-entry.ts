import { boxesIn, required } from "./boxes.ts";
import type { CodecFacts } from "./codec.ts";
import { printable } from "./file-boxes.ts";
import { readAvcConfiguration } from "./h264.ts";
import { readHevcConfiguration } from "./hevc.ts";
import { unless } from "./unusual.ts";

const imageHeadBytes = 78;
const audioHeadBytes = 28;
const aacType = 0x40;
const descriptorBytesMax = 4;

interface Entry {
  name: string;
  body: Buffer;
}

/** The only sample entry of a track: what its samples are. */
function entryIn(stsd: Buffer): Entry {
  unless(stsd.length >= 16 && stsd.readUInt32BE(4) === 1, "not one description");
  unless(stsd.readUInt32BE(8) === stsd.length - 8, "a description of an unusual size");
  const body = stsd.subarray(16);
  unless(body.length >= 8 && body.readUInt16BE(6) === 1, "media in another file");
  return { name: stsd.toString("latin1", 12, 16), body };
}

/** H.264 or HEVC with its parameters in the index, and sides that agree with them. */
export function readImageEntry(stsd: Buffer): CodecFacts {
  const { name, body } = entryIn(stsd);
  const isHevc = name === "hvc1" || name === "hev1";
  unless(isHevc || name === "avc1", `video of type ${printable(name)}`);
  unless(body.length > imageHeadBytes, "a description of an unusual size");
  const known = [isHevc ? "hvcC" : "avcC", "pasp", "colr", "btrt", "fiel"];
  const boxes = boxesIn(body.subarray(imageHeadBytes), known);
  const codec = isHevc
    ? readHevcConfiguration(required(boxes, "hvcC"))
    : readAvcConfiguration(required(boxes, "avcC"));
  const [width, height] = [body.readUInt16BE(24), body.readUInt16BE(26)];
  unless(codec.width === width && codec.height === height, "sides that contradict each other");
  const [aspect] = boxes.get("pasp") ?? [];
  if (aspect !== undefined) requireSquare(aspect);
  const [fields] = boxes.get("fiel") ?? [];
  unless(fields === undefined || fields[0] === 1, "interlaced");
  return codec;
}

function requireSquare(pasp: Buffer): void {
  unless(pasp.length === 8, "pixels that are not square");
  const wide = pasp.readUInt32BE(0);
  unless(wide > 0 && wide === pasp.readUInt32BE(4), "pixels that are not square");
}

/** AAC, and nothing else. */
export function requireAac(stsd: Buffer): void {
  const { name, body } = entryIn(stsd);
  unless(name === "mp4a", `audio of type ${printable(name)}`);
  unless(body.length > audioHeadBytes && body.readUInt16BE(8) === 0, "an unusual description");
  const boxes = boxesIn(body.subarray(audioHeadBytes), ["esds", "btrt"]);
  const esds = required(boxes, "esds");
  const stream = descriptorIn(esds, 4, 0x03);
  unless(stream + 3 <= esds.length && esds.readUInt8(stream + 2) >> 5 === 0, "an unusual esds");
  const decoder = descriptorIn(esds, stream + 3, 0x04);
  unless(decoder < esds.length && esds.readUInt8(decoder) === aacType, "audio that is not AAC");
}

/** Returns the position of a descriptor's content. Its length has up to four bytes of seven bits. */
function descriptorIn(esds: Buffer, at: number, tag: number): number {
  unless(at < esds.length && esds.readUInt8(at) === tag, "an unusual esds");
  for (let byte = 1; byte <= descriptorBytesMax; byte++) {
    unless(at + byte < esds.length, "an unusual esds");
    if (esds.readUInt8(at + byte) < 0x80) return at + byte + 1;
  }
  unless(false, "an unusual esds");
}
