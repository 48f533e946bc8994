import { execFile } from "node:child_process";
import { createCipheriv, createHash, randomBytes, randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { copyFile, mkdir, readFile, rename } from "node:fs/promises";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { deflateSync } from "node:zlib";
import { padMp4, pngChunk } from "./pad-file.ts";
import { makeScratch } from "./services/scratch.ts";

const run = promisify(execFile);
const outputBytesMax = 200_000_000;
const quiet = ["-hide_banner", "-nostdin", "-loglevel", "error"];
const keptDir = fileURLToPath(new URL("../../../node_modules/.cache/media", import.meta.url));

/** One of ffmpeg's own sources as an input, such as `testsrc2=s=64x64:r=5:d=1`. */
export const lavfi = (source: string): string[] => ["-f", "lavfi", "-i", source];

/** Runs ffmpeg with these inputs and encoders; gives the path that it wrote. */
export async function renderFile(path: string, args: readonly string[]): Promise<string> {
  if (isSynthetic(args)) await copyFile(await keep(extname(path), args), path);
  else await runFfmpeg(path, args);
  return path;
}

/** Renders media and returns the bytes; the ending of the name determines the container. */
export async function render(name: string, args: readonly string[]): Promise<Buffer> {
  if (isSynthetic(args)) return await readFile(await keep(extname(name), args));
  await using scratch = await makeScratch("media");
  return await readFile(await renderFile(join(scratch.path, name), args)); // before the folder goes
}

async function runFfmpeg(path: string, args: readonly string[]): Promise<void> {
  await run("ffmpeg", [...quiet, "-y", ...args, path]);
}

function isSynthetic(args: readonly string[]): boolean {
  return args.every((arg, at) => arg !== "-i" || args[at - 1] === "lavfi");
}

/** Renders media from ffmpeg's own sources once and keeps it until the next `npm ci`. */
async function keep(ending: string, args: readonly string[]): Promise<string> {
  const digest = createHash("sha256").update(JSON.stringify(args)).digest("hex");
  const path = join(keptDir, `${digest}${ending}`);
  if (existsSync(path)) return path;
  await mkdir(keptDir, { recursive: true });
  const unfinished = join(keptDir, `${randomUUID()}${ending}`);
  await runFfmpeg(unfinished, args);
  await rename(unfinished, path);
  return path;
}

/** Runs ffmpeg and returns the bytes that it writes to a pipe. */
export async function ffmpeg(...args: string[]): Promise<Buffer> {
  const options = { encoding: "buffer", maxBuffer: outputBytesMax } as const;
  return (await run("ffmpeg", [...quiet, ...args, "pipe:1"], options)).stdout;
}

export interface Pattern {
  readonly size: string;
  readonly rate: number | string;
  readonly seconds: number;
  readonly encoder?: readonly string[];
}

const x264 = ["-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p"];

/** Arguments for a test pattern with a tone, with a key frame every two seconds. */
export function pattern({ size, rate, seconds, encoder = [...x264, "-bf", "2"] }: Pattern) {
  return [
    ...lavfi(`testsrc2=s=${size}:r=${rate}:d=${seconds}`),
    ...lavfi(`sine=f=440:d=${seconds}`),
    ...encoder,
    "-force_key_frames",
    "expr:gte(t,n_forced*2)",
    "-c:a",
    "aac",
  ];
}

/** An MP4 of that pattern; without options a small one of 5.4 s, which count as 6. */
export function makeVideo(options: Pattern = { size: "160x90", rate: 5, seconds: 5.4 }) {
  return render("video.mp4", pattern(options));
}

/** A small pattern without audio, with these codec settings, in the container that the name ends with. */
export function renderClip(name: string, codec: readonly string[], rate = 5, seconds = 1) {
  return render(name, [...lavfi(`testsrc2=s=320x180:r=${rate}:d=${seconds}`), ...codec]);
}

/** An MP4 of one of ffmpeg's own sources, without audio. */
export function makeClip(source: string): Promise<Buffer> {
  return render("clip.mp4", [...lavfi(source), ...x264]);
}

/** An image of one of ffmpeg's own sources, such as `color=red:s=400x400`, by ffmpeg's name of the encoder. */
export function makeImage(source: string, codec = "png"): Promise<Buffer> {
  const format = codec === "libwebp" ? "webp" : codec === "gif" ? "gif" : "image2pipe";
  return render("image", [...lavfi(source), "-frames:v", "1", "-c:v", codec, "-f", format]);
}

/** Images of several frames, each with a name and how it is made. */
export const animatedImages: readonly (readonly [name: string, make: () => Promise<Buffer>])[] = [
  ["APNG", () => renderClip("animated.png", ["-f", "apng"])],
  ["WebP", () => renderClip("animated.webp", ["-c:v", "libwebp_anim"])],
];

/** An image with a red and a blue half. */
export function makeHalves(width: number, height: number, codec?: string): Promise<Buffer> {
  const blue = "drawbox=x=iw/2:w=iw/2:h=ih:t=fill:c=blue";
  return makeImage(`color=red:s=${width}x${height}:d=1,${blue}`, codec);
}

export function makeTone(hertz: number, seconds: number, format: "wav" | "mp3"): Promise<Buffer> {
  return render(`tone.${format}`, lavfi(`sine=f=${hertz}:d=${seconds}`));
}

/** A PNG of noise: three bytes for each of its pixels, however it is compressed. */
export function makeNoise(width: number, height = width): Buffer {
  const row = () => Buffer.concat([Buffer.alloc(1), randomBytes(3 * width)]);
  const pixels = Buffer.concat(Array.from({ length: height }, row));
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.writeUInt8(8, 8); // bits of a sample
  head.writeUInt8(2, 9); // red, green and blue
  return Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    pngChunk("IHDR", head),
    pngChunk("IDAT", deflateSync(pixels, { level: 0 })),
    pngChunk("IEND", Buffer.alloc(0)),
  ]);
}

/** A video of one second that has exactly so many bytes, no two parts of which are alike. */
export async function makePaddedVideo(sizeBytes: number): Promise<Buffer> {
  const video = await render("video.mp4", [...lavfi("testsrc=s=320x240:r=10:d=1"), ...x264]);
  const noise = createCipheriv("aes-128-ctr", Buffer.alloc(16, 7), Buffer.alloc(16));
  return padMp4(video, sizeBytes, (bytes) => noise.update(bytes));
}
