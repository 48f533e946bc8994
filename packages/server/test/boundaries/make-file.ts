import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { crc32 } from "node:zlib";
import sharp from "sharp";
import type { Sample } from "./boundary.ts";

const run = promisify(execFile);

/** Makes a real file of which exactly the sample's facts are measured. */
export async function makeFile(dir: string, sample: Sample): Promise<Buffer> {
  const { format, sizeBytes } = sample;
  const bare = await makeBare(dir, sample);
  if (sizeBytes === undefined) return bare;
  if (format === "png") return padPng(bare, sizeBytes);
  if (format === "wav") return padWav(bare, sizeBytes);
  throw new Error(`no way is known to make a ${format} as large as wanted`);
}

async function makeBare(dir: string, sample: Sample): Promise<Buffer> {
  const { format, width = 64, height = 64, durationMs = 1_000 } = sample;
  const seconds = durationMs / 1000;
  switch (format) {
    case "png":
    case "jpeg":
    case "webp":
    case "gif": {
      const create = { width, height, channels: 3, background: "teal" } as const;
      return sharp({ create }).toFormat(format).toBuffer();
    }
    case "bmp":
      return makeBmp(width, height);
    case "wav":
      return makeWav(durationMs);
    case "mp3":
    case "ogg":
      return render(dir, `${durationMs}.${format}`, [`anullsrc=r=48000:cl=mono:d=${seconds}`]);
    case "mp4": {
      // A frame for every millisecond, so that a video can be as long as wanted to the millisecond.
      const image = `color=teal:s=${width}x${height}:r=1000:d=${seconds}`;
      const coding = ["-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p"];
      return render(dir, `${width}x${height}-${durationMs}.mp4`, [image], coding);
    }
    case "mov":
    case "webm": {
      const image = `color=teal:s=${width}x${height}:r=10:d=${seconds}`;
      const vp8 = ["-c:v", "libvpx", "-deadline", "realtime", "-cpu-used", "8"];
      const coding = format === "webm" ? vp8 : ["-pix_fmt", "yuv420p"];
      return render(dir, `${width}x${height}-${durationMs}.${format}`, [image], coding);
    }
  }
}

async function render(
  dir: string,
  name: string,
  [source = ""]: string[],
  coding: string[] = [],
): Promise<Buffer> {
  const path = join(dir, name);
  const input = ["-f", "lavfi", "-i", source];
  await run("ffmpeg", ["-nostdin", "-loglevel", "error", "-y", ...input, ...coding, path]);
  return readFile(path);
}

const pngHeadBytes = 33; // the signature and the first chunk
const chunkFrameBytes = 12;
/** A decoder refuses longer ones. */
const chunkBytesMax = 8 * 1024 * 1024;

/** Chunks that nobody reads, before the pixels. */
function padPng(png: Buffer, sizeBytes: number): Buffer {
  const parts = [png.subarray(0, pngHeadBytes)];
  for (let missing = sizeBytes - png.length; missing > 0; ) {
    const isLast = missing <= chunkBytesMax;
    const bytes = isLast ? missing : chunkBytesMax / 2; // what is left is never too little for one
    const chunk = Buffer.alloc(bytes);
    chunk.writeUInt32BE(bytes - chunkFrameBytes, 0);
    chunk.write("paDd", 4, "latin1");
    chunk.writeUInt32BE(crc32(chunk.subarray(4, bytes - 4)), bytes - 4);
    parts.push(chunk);
    missing -= bytes;
  }
  return Buffer.concat([...parts, png.subarray(pngHeadBytes)]);
}

function makeBmp(width: number, height: number): Buffer {
  const headBytes = 54;
  const rowBytes = Math.ceil((width * 3) / 4) * 4;
  const bmp = Buffer.alloc(headBytes + rowBytes * height, 0x7f);
  bmp.fill(0, 0, headBytes).write("BM", 0, "latin1");
  bmp.writeUInt32LE(bmp.length, 2);
  bmp.writeUInt32LE(headBytes, 10);
  bmp.writeUInt32LE(40, 14);
  bmp.writeInt32LE(width, 18);
  bmp.writeInt32LE(height, 22);
  bmp.writeUInt16LE(1, 26);
  bmp.writeUInt16LE(24, 28);
  return bmp;
}

const wavHeadBytes = 36; // up to where the samples begin

/** Silence, 16 bits a sample. */
function makeWav(durationMs: number): Buffer {
  const samplesPerMs = 48;
  const data = Buffer.alloc(8 + 2 * samplesPerMs * durationMs);
  data.write("data", 0, "latin1");
  data.writeUInt32LE(data.length - 8, 4);
  const head = Buffer.alloc(wavHeadBytes);
  head.write("RIFF", 0, "latin1");
  head.writeUInt32LE(head.length + data.length - 8, 4);
  head.write("WAVEfmt ", 8, "latin1");
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(1000 * samplesPerMs, 24);
  head.writeUInt32LE(2000 * samplesPerMs, 28);
  head.writeUInt16LE(2, 32);
  head.writeUInt16LE(16, 34);
  return Buffer.concat([head, data]);
}

/** A chunk that nobody reads, before the samples. Chunks are even: an odd byte stands at the end. */
function padWav(wav: Buffer, sizeBytes: number): Buffer {
  const missing = sizeBytes - wav.length;
  const odd = missing % 2;
  const junk = Buffer.alloc(missing - odd);
  junk.write("JUNK", 0, "latin1");
  junk.writeUInt32LE(junk.length - 8, 4);
  const head = Buffer.from(wav.subarray(0, wavHeadBytes));
  head.writeUInt32LE(sizeBytes - 8, 4);
  return Buffer.concat([head, junk, wav.subarray(wavHeadBytes), Buffer.alloc(odd)]);
}
