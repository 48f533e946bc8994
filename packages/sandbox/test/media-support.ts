import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { ffmpeg } from "@zoetrope/testkit/make-media.ts";
import { serveFiles } from "@zoetrope/testkit/serve-files.ts";
import { onTestFinished } from "vitest";

const run = promisify(execFile);

interface Area {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Some frames of a video, in the order of their numbers, as functions of a mean colour. */
export async function readFrames(path: string, numbers: number[], size: Omit<Area, "x" | "y">) {
  const chosen = numbers.map((number) => `eq(n\\,${number})`).join("+");
  const raw = await ffmpeg(
    ...["-i", path, "-vf", `select=${chosen},format=rgb24`],
    ...["-fps_mode", "passthrough", "-f", "rawvideo"],
  );
  const bytes = size.width * size.height * 3;
  if (raw.length !== bytes * numbers.length) throw new Error("not all frames are there");
  return numbers.map((_, at) => {
    const frame = raw.subarray(at * bytes, (at + 1) * bytes);
    return (area: Area = { x: 0, y: 0, ...size }) => meanColour(frame, size.width, area);
  });
}

/** The mean red, green and blue. */
function meanColour(frame: Buffer, frameWidth: number, area: Area): number[] {
  const sums = [0, 0, 0];
  for (let y = area.y; y < area.y + area.height; y++) {
    const row = frame.subarray((y * frameWidth + area.x) * 3).subarray(0, area.width * 3);
    for (const [at, value] of row.entries()) sums[at % 3] = (sums[at % 3] ?? 0) + value;
  }
  return sums.map((sum) => Math.round(sum / (area.width * area.height)));
}

/** Returns the distance of two colours in the part that differs most. */
export function distance(a: readonly number[], b: readonly number[]): number {
  return Math.max(...a.map((part, at) => Math.abs(part - (b[at] ?? Number.NaN))));
}

/** Returns the likeness of one frame of a video and the middle of an image, 1 if they are equal. */
export async function likeness(path: string, frame: number, source: string): Promise<number> {
  const both = [
    `[0:v]select=eq(n\\,${frame}),setpts=0,format=yuv420p[video]`,
    "[1:v]setpts=0,format=yuv420p[image]",
    "[video][image]ssim",
  ].join(";");
  const inputs = ["-i", path, "-f", "lavfi", "-i", source];
  const { stderr } = await run("ffmpeg", [
    "-hide_banner",
    "-nostdin",
    ...inputs,
    "-filter_complex",
    both,
    "-frames:v",
    "1",
    "-f",
    "null",
    "-",
  ]);
  return Number(stderr.match(/SSIM .*All:([\d.]+)/)?.[1] ?? Number.NaN);
}

/** Returns the loudness of a video's audio around one tone, in dB. */
export async function toneLevel(path: string, hertz: number): Promise<number> {
  const narrow = `bandpass=f=${hertz}:width_type=h:w=60`;
  const { stderr } = await run("ffmpeg", [
    "-hide_banner",
    "-nostdin",
    "-i",
    path,
    "-vn",
    "-af",
    `${narrow},${narrow},volumedetect`,
    "-f",
    "null",
    "-",
  ]);
  return Number(stderr.match(/mean_volume: (-?[\d.]+) dB/)?.[1] ?? Number.NaN);
}

/** Gives files by their path; it ends with the test. */
export async function fileServer(files: Record<string, Buffer>) {
  const server = await serveFiles({ files });
  onTestFinished(() => server[Symbol.asyncDispose]());
  return server;
}
