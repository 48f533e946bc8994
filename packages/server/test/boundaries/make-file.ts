import { lavfi, render } from "@zoetrope/testkit/make-media.ts";
import { padPng, padWav } from "@zoetrope/testkit/pad-file.ts";
import sharp from "sharp";
import type { Sample } from "./boundary.ts";

/** Makes a real file of which exactly the sample's facts are measured. */
export async function makeFile(sample: Sample): Promise<Buffer> {
  const { format, sizeBytes } = sample;
  const bare = await makeBare(sample);
  if (sizeBytes === undefined) return bare;
  if (format === "png") return padPng(bare, sizeBytes);
  if (format === "wav") return padWav(bare, sizeBytes);
  throw new Error(`no way is known to make a ${format} as large as wanted`);
}

async function makeBare(sample: Sample): Promise<Buffer> {
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
      return render(`audio.${format}`, lavfi(`anullsrc=r=48000:cl=mono:d=${seconds}`));
    case "mp4": {
      // A frame for every millisecond, so that a video can be as long as wanted to the millisecond.
      const image = `color=teal:s=${width}x${height}:r=1000:d=${seconds}`;
      const coding = ["-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p"];
      return render("video.mp4", [...lavfi(image), ...coding]);
    }
    case "mov":
    case "webm": {
      const image = `color=teal:s=${width}x${height}:r=10:d=${seconds}`;
      const vp8 = ["-c:v", "libvpx", "-deadline", "realtime", "-cpu-used", "8"];
      const coding = format === "webm" ? vp8 : ["-pix_fmt", "yuv420p"];
      return render(`video.${format}`, [...lavfi(image), ...coding]);
    }
  }
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
