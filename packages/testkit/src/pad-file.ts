import assert from "node:assert";
import { crc32 } from "node:zlib";

const pngHeadBytes = 33; // the signature and the first chunk
const chunkFrameBytes = 12;
/** Decoders refuse longer ones. */
const chunkBytesMax = 4 * 1024 * 1024;

/** A PNG that is made as large as wanted by chunks that nobody reads, before the pixels. */
export function padPng(png: Buffer, sizeBytes: number): Buffer {
  const parts = [png.subarray(0, pngHeadBytes)];
  for (let missing = sizeBytes - png.length; missing > 0; ) {
    const isLast = missing <= chunkBytesMax;
    const bytes = isLast ? missing : chunkBytesMax / 2; // what is left is never too little for one
    parts.push(pngChunk("paDd", Buffer.alloc(bytes - chunkFrameBytes)));
    missing -= bytes;
  }
  return Buffer.concat([...parts, png.subarray(pngHeadBytes)]);
}

export function pngChunk(name: string, inside: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name, "latin1"), inside]);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(inside.length);
  checksum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, checksum]);
}

/** Up to where the samples begin. */
const wavHeadBytes = 36;

/** A chunk that nobody reads, before the samples. Chunks are even: an odd byte stands at the end. */
export function padWav(wav: Buffer, sizeBytes: number): Buffer {
  const missing = sizeBytes - wav.length;
  const odd = missing % 2;
  const junk = Buffer.alloc(missing - odd);
  junk.write("JUNK", 0, "latin1");
  junk.writeUInt32LE(junk.length - 8, 4);
  const head = Buffer.from(wav.subarray(0, wavHeadBytes));
  head.writeUInt32LE(sizeBytes - 8, 4);
  return Buffer.concat([head, junk, wav.subarray(wavHeadBytes), Buffer.alloc(odd)]);
}

/** A box that every reader passes over, at the end; `fill` changes its zeros. */
export function padMp4(
  video: Buffer,
  sizeBytes: number,
  fill: (zeros: Buffer) => Buffer = (zeros) => zeros,
): Buffer {
  const padding = sizeBytes - video.length;
  assert(padding >= 8, `a video has at least ${video.length + 8} bytes`);
  const head = Buffer.alloc(8);
  head.writeUInt32BE(padding, 0);
  head.write("free", 4, "latin1");
  return Buffer.concat([video, head, fill(Buffer.alloc(padding - 8))]);
}
