import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { startStack } from "@zoetrope/dev/stack.ts";
import { print } from "@zoetrope/testkit/print.ts";
import { s3Settings } from "@zoetrope/testkit/s3-settings.ts";
import { startS3 } from "@zoetrope/testkit/services/s3.ts";
import { makeScratch } from "@zoetrope/testkit/services/scratch.ts";
import { printFaults } from "../../kit/tally.ts";
import { h264, moving, openRenderer } from "../media/files/render.ts";
import { type PaddedVideo, padVideo, plainVideo } from "./padded-video.ts";
import { type Client, passAsAsset, passAsTask } from "./pass-videos.ts";
import { startVideoVendor } from "./video-vendor.ts";
import { type MemoryWatch, watchMemory } from "./watch-memory.ts";

const megabyte = 1024 * 1024;
const growthMbMax = 64;
/** V8 gives back what the start has left behind, which would otherwise hide growth. */
const restMs = 20_000;
const outputBytes = 1024 * megabyte;
const assetBytes = 199 * megabyte; // 200 are taken

const serverEnv = {
  LOG_LEVEL: "info",
  REVIEW_VIDEO: "automatic",
  // The models' verdict on a test pattern is tested elsewhere: here everything passes.
  REVIEW_NSFW_REFUSED_ABOVE: "1",
  REVIEW_NSFW_UNSURE_ABOVE: "1",
  REVIEW_FACE_ABOVE: "1",
};

type Storage = "S3" | "folder";

interface Videos {
  small: PaddedVideo;
  output: PaddedVideo;
  asset: PaddedVideo;
}

interface Outcome {
  streamedBytes: number;
  growthMb: number;
  wrong: string[];
}

/** Large videos in and out, with S3 and with a folder: what they cost in memory, and whether they came through. */
export async function runStreaming(): Promise<boolean> {
  const videos = await makeVideos();
  const outcomes = [await stream("S3", videos), await stream("folder", videos)];
  const streamedMb = outcomes.reduce((sum, { streamedBytes }) => sum + streamedBytes, 0) / megabyte;
  const growthMb = Math.max(...outcomes.map((outcome) => outcome.growthMb));
  const wrong = outcomes.flatMap((outcome) => outcome.wrong);
  printFaults("WRONG", wrong, wrong.length);
  print(`streamed_mb=${Math.round(streamedMb)} growth_mb=${growthMb} wrong=${wrong.length}`);
  return wrong.length === 0 && growthMb < growthMbMax;
}

async function makeVideos(): Promise<Videos> {
  await using scratch = await makeScratch("videos");
  const { render } = openRenderer(scratch.path);
  const video = await render("small.mp4", ...moving(1280, 720, 24, 4), ...h264);
  return {
    small: plainVideo("small.mp4", video),
    output: padVideo("output.mp4", video, outputBytes),
    asset: padVideo("asset.mp4", video, assetBytes),
  };
}

async function stream(storage: Storage, videos: Videos): Promise<Outcome> {
  await using scratch = await makeScratch("streaming");
  await using cleanUp = new AsyncDisposableStack();
  const vendor = cleanUp.use(await startVideoVendor(Object.values(videos)));
  const storageEnv = storage === "S3" ? await startBucket(scratch.path, cleanUp) : {};
  const stack = cleanUp.use(
    await startStack({
      dir: scratch.path,
      serverEnv: { ...serverEnv, ...storageEnv, VENDORS: vendor.settings },
    }),
  );
  const { key } = await stack.openAccount({ name: "streaming", credits: 1_000 });
  const client = { apiUrl: stack.apiUrl, key, vendor };
  const pids = { worker: stack.worker.pid, api: stack.api.pid };
  print(`with ${storage}`);
  return await measure(client, pids, videos);
}

/** The baseline is what the processes have when small videos went both ways and they were idle for a while. */
async function measure(
  client: Client,
  pids: { worker: number; api: number },
  { small, output, asset }: Videos,
): Promise<Outcome> {
  const wrong = [...(await passAsTask(client, small)), ...(await passAsAsset(client, small))];
  await pause(restMs);
  await using worker = await watchMemory(pids.worker);
  await using api = await watchMemory(pids.api);
  const passes = [
    { video: output, as: "the output of a task", pass: passAsTask },
    { video: asset, as: "an asset with its review", pass: passAsAsset },
  ];
  for (const { video, as, pass } of passes) {
    const startedAt = performance.now();
    wrong.push(...(await pass(client, video)));
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    print(
      `  ${video.sizeBytes / megabyte} MB as ${as} in ${seconds} s: worker ${await grown(worker)}, api ${await grown(api)}`,
    );
  }
  const growths = [worker, api].map(async (watch) => (await watch.peakMb()) - watch.beforeMb);
  return {
    streamedBytes: output.sizeBytes + asset.sizeBytes,
    growthMb: Math.max(...(await Promise.all(growths))),
    wrong,
  };
}

async function grown(watch: MemoryWatch): Promise<string> {
  return `${watch.beforeMb}→${await watch.peakMb()} MB`;
}

async function startBucket(dir: string, cleanUp: AsyncDisposableStack) {
  const s3 = cleanUp.use(await startS3({ dir: join(dir, "s3") }));
  await s3.createBucket("media");
  return s3Settings(s3, "media");
}
