import { join } from "node:path";
import { type Stack, startStack } from "@zoetrope/dev/stack.ts";
import { readConfig } from "@zoetrope/server/settings/config.ts";
import { print } from "@zoetrope/testkit/print.ts";
import { serveFile } from "@zoetrope/testkit/serve-files.ts";
import { makeScratch } from "@zoetrope/testkit/services/scratch.ts";
import { median } from "../ratios.ts";
import { upscaleBare } from "./bare-ffmpeg.ts";
import { makeClip } from "./make-clip.ts";
import { upscaleInStack } from "./upscale-in-stack.ts";

const rounds = 3;
const usualSeconds = 60;
/** The default size of a segment; a shorter clip is cut into as many segments as the usual one. */
const segmentMegapixels = 400;
/** The time to wait for each second of the clip, on a busy machine. */
const waitSecondsPerSecond = 60;

/**
 * Measures the time that the service adds to ffmpeg, and how much sooner a video is done with a
 * second worker. Each round runs one after the other: bare ffmpeg, one worker that does one segment
 * at a time, two of them.
 */
export async function runUpscale(seconds: number): Promise<void> {
  await using scratch = await makeScratch("upscale");
  const clip = join(scratch.path, "clip.mp4");
  await makeClip(clip, seconds);
  await using server = await serveFile(clip);
  await using stack = await startStack({
    dir: scratch.path,
    serverEnv: { UPSCALE_SEGMENTS_MAX: "1", ...segmentSettings(seconds) },
  });
  const { key } = await stack.openAccount({ name: "bench", credits: 1_000_000 });
  const config = readConfig(stack.serverEnv);
  const inStack = () => upscaleInStack(stack, key, server.url, waitSecondsPerSecond * seconds);
  const overheads: number[] = [];
  const speedups: number[] = [];
  for (let round = 1; round <= rounds; round++) {
    const bare = await upscaleBare(clip, join(scratch.path, "bare.mp4"), config);
    printRun(round, "bare ffmpeg", bare);
    const one = await inStack();
    printRun(round, "one worker", one);
    const two = await withSecondWorker(stack, inStack);
    printRun(round, "two workers", { ...two, cpuSeconds: null });
    overheads.push(one.cpuSeconds / bare.cpuSeconds);
    speedups.push(one.wallSeconds / two.wallSeconds);
    print(
      `round ${round}  overhead ${overheads.at(-1)?.toFixed(3)}  speedup ${speedups.at(-1)?.toFixed(2)}`,
    );
  }
  print(
    `two at once on this machine, bare: ${(await bareSpeedup(clip, scratch.path, config)).toFixed(2)}`,
  );
  print(
    `overhead=${median(overheads).toFixed(2)} speedup_two_workers=${median(speedups).toFixed(2)}`,
  );
}

function segmentSettings(seconds: number): Record<string, string> {
  const megapixels = Math.ceil((segmentMegapixels * seconds) / usualSeconds);
  return seconds < usualSeconds ? { UPSCALE_SEGMENT_MEGAPIXELS: String(megapixels) } : {};
}

function printRun(
  round: number,
  what: string,
  run: { cpuSeconds: number | null; wallSeconds: number; bytes: number },
): void {
  const cpu = run.cpuSeconds === null ? "" : `  cpu_s ${run.cpuSeconds.toFixed(1)}`;
  print(
    `round ${round}  ${what.padEnd(11)}  wall_s ${run.wallSeconds.toFixed(1)}${cpu}  bytes ${run.bytes}`,
  );
}

/** The speedup of two ffmpegs at once on this machine: the limit of what a second worker gives. */
async function bareSpeedup(clip: string, dir: string, config: ReturnType<typeof readConfig>) {
  const upscale = (name: string) => upscaleBare(clip, join(dir, name), config);
  const alone = await upscale("bare.mp4");
  const both = await Promise.all([upscale("bare-1.mp4"), upscale("bare-2.mp4")]);
  return (2 * alone.wallSeconds) / Math.max(...both.map(({ wallSeconds }) => wallSeconds));
}

/** It takes segments; the engine does not know it. */
async function withSecondWorker<Result>(stack: Stack, work: () => Promise<Result>) {
  await using _second = await stack.startServer({ role: "worker", name: "worker-2" });
  return await work();
}
