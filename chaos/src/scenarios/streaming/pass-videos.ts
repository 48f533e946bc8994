import assert from "node:assert";
import { createHash } from "node:crypto";
import { waitUntil } from "@zoetrope/testkit/services/wait-until.ts";
import { callApi } from "../../kit/load/call-api.ts";
import type { PaddedVideo } from "./padded-video.ts";
import type { VideoVendor } from "./video-vendor.ts";

export interface World {
  readonly apiUrl: string;
  readonly key: string;
  readonly vendor: VideoVendor;
}

const passMsMax = 300_000;

/** Has a vendor make the video and fetches the output back as its owner would. Says what was wrong. */
export async function passAsTask(world: World, video: PaddedVideo): Promise<string[]> {
  const body = { model: "sd2", inputs: { prompt: video.name, duration: "4s" } };
  const { taskId } = await ask<{ taskId: string }>(world, "/api/v1/jobs/createTask", body);
  let task: TaskView = { status: "unknown", output: null };
  await waitUntil(
    `the task with ${video.name} is over`,
    async () => {
      task = await ask<TaskView>(world, `/api/v1/jobs/queryTask?taskId=${taskId}`);
      return task.status === "COMPLETED" || task.status === "FAILED";
    },
    { timeoutMs: passMsMax, intervalMs: 200 },
  );
  const url = task.output?.[0]?.url;
  if (url === undefined) return [`${video.name} did not become an output: ${JSON.stringify(task)}`];
  return compare(video, await fetchBack(url));
}

interface TaskView {
  status: string;
  output: { url: string }[] | null;
}

/** Uploads the video into the library by its address, waits for its review and fetches the copy back. */
export async function passAsAsset(world: World, video: PaddedVideo): Promise<string[]> {
  const body = { type: "VIDEO", url: world.vendor.urlOf(video), name: video.name };
  let asset = await ask<AssetView>(world, "/api/v1/assets/upload", body);
  await waitUntil(
    `${video.name} is reviewed`,
    async () => {
      asset = await ask<AssetView>(world, `/api/v1/assets/status?assetId=${asset.assetId}`);
      return asset.status !== "PROCESSING";
    },
    { timeoutMs: passMsMax, intervalMs: 200 },
  );
  if (asset.status !== "ACTIVE" || asset.storageUrl === null)
    return [`${video.name} did not pass its review: ${JSON.stringify(asset)}`];
  return compare(video, await fetchBack(asset.storageUrl));
}

interface AssetView {
  assetId: number;
  status: string;
  storageUrl: string | null;
}

interface Received {
  sizeBytes: number;
  sha256: string;
}

function compare(video: PaddedVideo, received: Received): string[] {
  if (received.sizeBytes === video.sizeBytes && received.sha256 === video.sha256) return [];
  return [
    `${video.name} came back as ${received.sizeBytes} bytes ${received.sha256}, not ${video.sizeBytes} bytes ${video.sha256}`,
  ];
}

async function fetchBack(url: string): Promise<Received> {
  const answer = await fetch(url);
  assert(answer.status === 200 && answer.body !== null, `${url} answered ${answer.status}`);
  const hash = createHash("sha256");
  let sizeBytes = 0;
  for await (const chunk of answer.body) {
    hash.update(chunk);
    sizeBytes += chunk.length;
  }
  return { sizeBytes, sha256: hash.digest("hex") };
}

async function ask<Answer>({ apiUrl, key }: World, path: string, body?: object): Promise<Answer> {
  const call = body === undefined ? { method: "GET" as const } : { method: "POST" as const, body };
  const answer = await callApi(apiUrl, { ...call, path, key });
  assert(answer !== "none" && answer.status === 200, `${path}: ${JSON.stringify(answer)}`);
  return answer.body as Answer;
}
