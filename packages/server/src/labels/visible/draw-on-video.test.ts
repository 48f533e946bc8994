import { execFile } from "node:child_process";
import { createReadStream } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { lavfi, pattern, renderFile } from "@zoetrope/testkit/make-media.ts";
import { makeScratch, type Scratch } from "@zoetrope/testkit/services/scratch.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { packetsOf } from "../../../test/labels/packets-of.ts";
import type { TaskId } from "../../ids.ts";
import { createLog } from "../../log.ts";
import { measureMp4 } from "../../media/mp4/measure-mp4.ts";
import { placeLabel } from "../../media/visible-label.ts";
import { drawOnVideo } from "./draw-on-video.ts";

const run = promisify(execFile);
const sides = { width: 320, height: 180 };
const size = "320x180";
const x264 = ["-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p"];

let scratch: Scratch;
beforeAll(async () => {
  scratch = await makeScratch("visible");
});
afterAll(() => scratch.remove());

interface Drawn {
  path: string;
  /** Whether the frames after the label were copied. */
  isCopied: boolean;
}

async function draw(
  path: string,
  { contentType = "video/mp4", isUsual = true, frame = sides } = {},
): Promise<Drawn> {
  const log = createLog("silent", "test");
  const source = { path, contentType, ...frame, isUsual };
  const dir = join(scratch.path, `out-${path.split("/").at(-1)}`);
  const drawn = await drawOnVideo({ log }, source, { taskId: "task" as TaskId, dir });
  return { path: drawn, isCopied: drawn.endsWith("joined") };
}

/** The mean difference of luma in the label's corner, frame by frame. */
async function differenceInCorner(before: string, after: string, frame = sides): Promise<number[]> {
  const { width, height, margin } = placeLabel(frame);
  const crop = `crop=${width}:${height}:iw-${width + margin}:ih-${height + margin}`;
  const cornerOf = (input: number) => `[${input}:v]${crop},settb=1/25,setpts=N`;
  const graph = `${cornerOf(0)}[a];${cornerOf(1)}[b];[a][b]blend=all_mode=difference,signalstats,metadata=print:key=lavfi.signalstats.YAVG:file=-`;
  const args = ["-v", "error", "-i", before, "-i", after, "-lavfi", graph, "-f", "null", "-"];
  const { stdout } = await run("ffmpeg", args, { maxBuffer: 10_000_000 });
  return [...stdout.matchAll(/YAVG=([\d.]+)/g)].map(([, value]) => Number(value));
}

/** The hashes of the packets, in the order of the file, without parameter sets. */
async function hashesOf(path: string): Promise<string[]> {
  const units = "h264_mp4toannexb,filter_units=remove_types=7-8";
  const args = ["-map", "0:v", "-c", "copy", "-bsf:v", units, "-f", "framehash", "-"];
  const { stdout } = await run("ffmpeg", ["-v", "error", "-i", path, ...args]);
  return stdout.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
}

async function framesOf(path: string): Promise<string[]> {
  const args = ["-v", "error", "-i", path, "-map", "0:v", "-fps_mode", "passthrough"];
  const { stdout } = await run("ffmpeg", [...args, "-f", "framemd5", "-"]);
  return stdout.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
}

async function measured(path: string) {
  const measuring = measureMp4();
  for await (const chunk of createReadStream(path)) measuring.push(chunk as Buffer);
  return measuring.end();
}

test.each([
  ["B-frames", ["-bf", "2"]],
  ["no B-frames", ["-bf", "0"]],
  ["B-frames that others depend on", ["-bf", "3", "-x264-params", "b-pyramid=normal"]],
])(
  "of a video with %s and key frames at 0, 2 and 4 s only the first two seconds change",
  async (name, options) => {
    const path = await renderFile(
      join(scratch.path, `${name}.mp4`),
      pattern({ size, rate: 24, seconds: 5, encoder: [...x264, ...options] }),
    );
    const { path: drawn, isCopied } = await draw(path);
    expect(isCopied).toBe(true);
    const differences = await differenceInCorner(path, drawn);
    expect(differences).toHaveLength(120);
    expect(Math.min(...differences.slice(0, 48))).toBeGreaterThan(20);
    expect(Math.max(...differences.slice(48))).toBe(0);
    const [before, after] = [await hashesOf(path), await hashesOf(drawn)];
    expect(after.slice(48)).toEqual(before.slice(48));
    expect(await framesOf(drawn)).toHaveLength(120);
    expect((await framesOf(drawn)).slice(48)).toEqual((await framesOf(path)).slice(48));
    expect((await packetsOf(drawn))?.[1]).toBe((await packetsOf(path))?.[1]);
    expect(await measured(drawn)).toEqual(await measured(path));
  },
);

test.each([
  ["one key frame", ["-g", "1000", "-force_key_frames", "0"]],
  ["frames before a key frame that need it", ["-bf", "3", "-x264-params", "open-gop=1:keyint=24"]],
])(
  "a video with %s is encoded whole, and shows the label for two seconds",
  async (name, options) => {
    const path = await renderFile(join(scratch.path, `${name}.mp4`), [
      ...lavfi(`testsrc2=s=${size}:r=24:d=4`),
      ...lavfi("sine=d=4"),
      ...["-c:v", "libx264", "-preset", "veryfast", "-pix_fmt", "yuv420p", ...options],
    ]);
    const { path: drawn, isCopied } = await draw(path);
    expect(isCopied).toBe(false);
    const differences = await differenceInCorner(path, drawn);
    expect(differences).toHaveLength(96);
    expect(Math.min(...differences.slice(0, 48))).toBeGreaterThan(20);
    expect(Math.max(...differences.slice(50))).toBeLessThan(8);
    expect((await packetsOf(drawn))?.[1]).toBe((await packetsOf(path))?.[1]);
    expect(await measured(drawn)).toEqual(await measured(path));
  },
);

test.each([
  ["hevc.mp4", "video/mp4", "hevc", ["-c:v", "libx265", "-x265-params", "log-level=error"]],
  [
    "ten.mp4",
    "video/mp4",
    "hevc",
    ["-c:v", "libx265", "-x265-params", "log-level=error", "-pix_fmt", "yuv420p10le"],
  ],
  ["vp8.webm", "video/webm", "vp8", ["-c:v", "libvpx", "-deadline", "realtime", "-c:a", "libopus"]],
  [
    "vp9.webm",
    "video/webm",
    "vp9",
    ["-c:v", "libvpx-vp9", "-deadline", "realtime", "-c:a", "libopus"],
  ],
  ["av1.mp4", "video/mp4", "av1", ["-c:v", "libsvtav1", "-preset", "12"]],
  ["mpeg4.mp4", "video/mp4", "h264", ["-c:v", "mpeg4", "-q:v", "2"]],
  ["quicktime.mov", "video/quicktime", "h264", [...x264, "-c:a", "pcm_s16le"]],
  ["fragmented.mp4", "video/mp4", "h264", [...x264, "-movflags", "frag_keyframe+empty_moov"]],
])("%s keeps its type %s, and its codec is %s", async (name, contentType, codec, options) => {
  const path = await renderFile(join(scratch.path, name), [
    ...lavfi(`testsrc2=s=${size}:r=12:d=3`),
    ...lavfi("sine=d=3"),
    ...options,
  ]);
  const { path: drawn } = await draw(path, { contentType, isUsual: false });
  const entries = [
    "-select_streams",
    "v",
    "-show_entries",
    "stream=codec_name,pix_fmt",
    "-of",
    "csv=p=0",
  ];
  const { stdout } = await run("ffprobe", ["-v", "error", ...entries, drawn]);
  const format = name === "ten.mp4" ? "yuv420p10le" : "yuv420p";
  expect(stdout.trim()).toBe(`${codec},${format}`);
  const differences = await differenceInCorner(path, drawn);
  expect(differences).toHaveLength(36);
  expect(Math.min(...differences.slice(0, 24))).toBeGreaterThan(20);
  expect(Math.max(...differences.slice(26))).toBeLessThan(8);
});

test("a video shorter than two seconds shows the label to its end", async () => {
  const path = await renderFile(
    join(scratch.path, "short.mp4"),
    pattern({ size, rate: 24, seconds: 1 }),
  );
  const { path: drawn } = await draw(path);
  expect(Math.min(...(await differenceInCorner(path, drawn)))).toBeGreaterThan(20);
});

test("frames that come at irregular times keep them", async () => {
  const path = await renderFile(join(scratch.path, "irregular.mp4"), [
    ...lavfi(`testsrc2=s=${size}:r=24:d=5,select='not(eq(mod(n\\,7)\\,3))'`),
    ...["-fps_mode", "passthrough", ...x264, "-bf", "2"],
    ...["-force_key_frames", "expr:gte(t,n_forced*2)"],
  ]);
  const { path: drawn, isCopied } = await draw(path);
  expect(isCopied).toBe(true);
  const timesOf = (frames: string[]) => frames.map((line) => line.split(",")[2]?.trim());
  expect(timesOf(await framesOf(drawn))).toEqual(timesOf(await framesOf(path)));
});

test("metadata of the source stays", async () => {
  const aigc = JSON.stringify({ Label: "1", ContentProducer: "A Vendor" });
  const path = await renderFile(join(scratch.path, "tagged.mp4"), [
    ...pattern({ size, rate: 24, seconds: 3 }),
    ...["-movflags", "use_metadata_tags", "-metadata", `AIGC=${aigc}`],
  ]);
  const { path: drawn } = await draw(path);
  const entries = ["-show_entries", "format_tags=AIGC", "-of", "csv=p=0:e=none"];
  const { stdout } = await run("ffprobe", ["-v", "error", ...entries, drawn]);
  expect(stdout).toContain("A Vendor");
});

test("what is not a video throws, and nothing is returned", async () => {
  const path = await renderFile(join(scratch.path, "sound.mp4"), lavfi("sine=d=1"));
  await expect(draw(path)).rejects.toThrow();
});
