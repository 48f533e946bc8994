import { crc32, inflateSync } from "node:zlib";
import type { LabelFrom } from "./aigc.ts";
import { beginsManifestStore } from "./manifest-store.ts";
import { Unusual, uint32 } from "./mp4-boxes.ts";
import { labelXmp } from "./xmp.ts";

/**
 * Labels a PNG, JPEG or WebP of our own or of a vendor by an XMP packet. No pixel is touched, and other
 * metadata stays. Throws Unusual if the file is not whole.
 */
export function labelImage(file: Buffer, contentType: string, labelFrom: LabelFrom): Buffer {
  const label = labellers[contentType];
  if (label === undefined) throw new Unusual(`no label for ${contentType}`);
  try {
    return label(file, labelFrom);
  } catch (error) {
    if (error instanceof RangeError) throw new Unusual("an image that is not whole");
    throw error;
  }
}

/** Whether an image carries a C2PA manifest, which a label would break. */
export function hasManifest(file: Buffer, contentType: string): boolean {
  try {
    return hasManifestOf[contentType]?.(file) ?? false;
  } catch (error) {
    if (error instanceof RangeError || error instanceof Unusual) return false;
    throw error;
  }
}

const labellers: Partial<Record<string, (file: Buffer, labelFrom: LabelFrom) => Buffer>> = {
  "image/png": labelPng,
  "image/jpeg": labelJpeg,
  "image/webp": labelWebp,
};
/** The common identifier, the number of the box and that of the segment, before the box in a JPEG. */
const jumbfHeadBytes = 8;
const hasManifestOf: Partial<Record<string, (file: Buffer) => boolean>> = {
  "image/png": (file) =>
    pngChunks(file).some(({ name, body }) => name === "caBX" && beginsManifestStore(body)),
  "image/jpeg": (file) =>
    jpegSegments(file).segments.some(
      ({ marker, body }) =>
        marker === 0xeb &&
        body.subarray(0, 2).equals(Buffer.from("JP")) &&
        beginsManifestStore(body.subarray(jumbfHeadBytes)),
    ),
  "image/webp": (file) =>
    webpChunks(file).some(({ name, body }) => name === "C2PA" && beginsManifestStore(body)),
};

interface Part {
  name: string;
  whole: Buffer;
  body: Buffer;
}

const pngSignatureBytes = 8;
/** The keyword of XMP and its terminator, before the flags of compression. */
const pngXmpName = Buffer.from("XML:com.adobe.xmp\0");
/** Not compressed, without a language or a translated keyword. */
const pngXmpHead = Buffer.concat([pngXmpName, Buffer.alloc(4)]);
const xmpBytesMax = 1024 * 1024;

function pngChunks(file: Buffer): Part[] {
  const chunks: Part[] = [];
  for (let at = pngSignatureBytes; at < file.length; ) {
    const end = at + 12 + file.readUInt32BE(at);
    if (end > file.length) throw new Unusual("a chunk of an unusual size");
    chunks.push({
      name: file.toString("latin1", at + 4, at + 8),
      whole: file.subarray(at, end),
      body: file.subarray(at + 8, end - 4),
    });
    at = end;
  }
  return chunks;
}

function labelPng(file: Buffer, labelFrom: LabelFrom): Buffer {
  const chunks = pngChunks(file);
  const [header, ...others] = chunks.filter((chunk) => !isPngXmp(chunk));
  if (header?.name !== "IHDR") throw new Unusual("a PNG without its header");
  const found = chunks.find(isPngXmp);
  const packet = Buffer.from(labelXmp(found === undefined ? null : pngXmpOf(found), labelFrom));
  const data = Buffer.concat([Buffer.from("iTXt"), pngXmpHead, packet]);
  return Buffer.concat([
    file.subarray(0, pngSignatureBytes),
    header.whole,
    uint32(data.length - 4),
    data,
    uint32(crc32(data)),
    ...others.map(({ whole }) => whole),
  ]);
}

/** XMP belongs into iTXt; libvips writes it into zTXt, under the same keyword. */
function isPngXmp({ name, body }: Part): boolean {
  return (
    ["iTXt", "zTXt", "tEXt"].includes(name) &&
    body.subarray(0, pngXmpName.length).equals(pngXmpName)
  );
}

function pngXmpOf({ name, body }: Part): string {
  const at = pngXmpName.length;
  if (name === "tEXt") return body.toString("utf8", at);
  if (name === "zTXt") return inflated(body.subarray(at + 1));
  const language = body.indexOf(0, at + 2);
  const keyword = language < 0 ? -1 : body.indexOf(0, language + 1);
  if (keyword < 0) throw new Unusual("a packet without its end");
  const text = body.subarray(keyword + 1);
  return body.readUInt8(at) === 1 ? inflated(text) : text.toString();
}

function inflated(bytes: Buffer): string {
  try {
    return inflateSync(bytes, { maxOutputLength: xmpBytesMax }).toString();
  } catch {
    throw new Unusual("a packet that cannot be read");
  }
}

const jpegXmpName = Buffer.from("http://ns.adobe.com/xap/1.0/\0");
const segmentBytesMax = 65_533;

/** The segments before the first table, and the place where they end. */
function jpegSegments(file: Buffer): { segments: (Part & { marker: number })[]; end: number } {
  const segments: (Part & { marker: number })[] = [];
  let at = 2;
  for (;;) {
    const marker = file.readUInt8(at) === 0xff ? file.readUInt8(at + 1) : 0;
    const isMetadata = marker >> 4 === 0xe || marker === 0xfe; // APPn, COM
    if (!isMetadata) return { segments, end: at };
    const end = at + 2 + file.readUInt16BE(at + 2);
    if (end > file.length || end < at + 4) throw new Unusual("a segment of an unusual size");
    const [whole, body] = [file.subarray(at, end), file.subarray(at + 4, end)];
    segments.push({ name: "", marker, whole, body });
    at = end;
  }
}

function labelJpeg(file: Buffer, labelFrom: LabelFrom): Buffer {
  const { segments, end } = jpegSegments(file);
  const isXmp = ({ marker, body }: Part & { marker: number }) =>
    marker === 0xe1 && body.subarray(0, jpegXmpName.length).equals(jpegXmpName);
  const before = segments.find(isXmp)?.body.toString("utf8", jpegXmpName.length) ?? null;
  const kept = segments.filter((segment) => !isXmp(segment));
  const place = kept.findLastIndex(({ marker }) => marker <= 0xe1) + 1; // behind JFIF and Exif
  const body = Buffer.concat([jpegXmpName, Buffer.from(labelXmp(before, labelFrom))]);
  if (body.length > segmentBytesMax) throw new Unusual("a packet that is too long");
  const length = Buffer.alloc(2);
  length.writeUInt16BE(body.length + 2);
  return Buffer.concat([
    file.subarray(0, 2),
    ...kept.slice(0, place).map(({ whole }) => whole),
    Buffer.from([0xff, 0xe1]),
    length,
    body,
    ...kept.slice(place).map(({ whole }) => whole),
    file.subarray(end),
  ]);
}

const riffHeadBytes = 12;
const xmpFlag = 0x04;
const alphaFlag = 0x10;

function webpChunks(file: Buffer): Part[] {
  const chunks: Part[] = [];
  for (let at = riffHeadBytes; at + 8 <= file.length; ) {
    const size = file.readUInt32LE(at + 4);
    const end = at + 8 + size + (size & 1);
    if (at + 8 + size > file.length) throw new Unusual("a chunk of an unusual size");
    chunks.push({
      name: file.toString("latin1", at, at + 4),
      whole: file.subarray(at, end),
      body: file.subarray(at + 8, at + 8 + size),
    });
    at = end;
  }
  return chunks;
}

function labelWebp(file: Buffer, labelFrom: LabelFrom): Buffer {
  const chunks = webpChunks(file);
  const before = chunks.find(({ name }) => name === "XMP ")?.body.toString() ?? null;
  const kept = chunks.filter(({ name }) => name !== "XMP ");
  const [first, ...others] = kept;
  if (first === undefined) throw new Unusual("a WebP without an image");
  const isExtended = first.name === "VP8X";
  const header = isExtended ? Buffer.from(first.whole) : extendedHeaderOf(first);
  header.writeUInt8(header.readUInt8(8) | xmpFlag, 8);
  const packet = Buffer.from(labelXmp(before, labelFrom));
  const body = Buffer.concat([
    Buffer.from("WEBP"),
    header,
    ...(isExtended ? others : kept).map(({ whole }) => whole),
    Buffer.from("XMP "),
    uint32Little(packet.length),
    packet,
    Buffer.alloc(packet.length & 1),
  ]);
  return Buffer.concat([Buffer.from("RIFF"), uint32Little(body.length), body]);
}

/** The header of the extended form: the simple one has no metadata. */
function extendedHeaderOf({ name, body }: Part): Buffer {
  const header = Buffer.alloc(18);
  header.write("VP8X");
  header.writeUInt32LE(10, 4);
  // 14 bits of the width less one, 14 of the height less one, and one for alpha.
  const packed = name === "VP8L" ? body.readUInt32LE(1) : null;
  const width = packed === null ? (body.readUInt16LE(6) & 0x3fff) - 1 : packed & 0x3fff;
  const height = packed === null ? (body.readUInt16LE(8) & 0x3fff) - 1 : (packed >>> 14) & 0x3fff;
  if (packed !== null && (packed >>> 28) & 1) header.writeUInt8(alphaFlag, 8);
  header.writeUIntLE(width, 12, 3);
  header.writeUIntLE(height, 15, 3);
  return header;
}

function uint32Little(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}
