import { waitUntil } from "@zoetrope/dev/services/wait-until.ts";
import { ask, type Caller } from "../../kit/call-api.ts";
import { type Fetched, fetchAndHash } from "../../kit/fetch-and-hash.ts";
import type { PaddedVideo } from "./padded-video.ts";
import type { VideoVendor } from "./video-vendor.ts";

export interface Client extends Caller {
  readonly vendor: VideoVendor;
}

const passMsMax = 300_000;

/** Has a vendor make the video and fetches the output back as its owner would. Says what was wrong. */
export async function passAsTask(client: Client, video: PaddedVideo): Promise<string[]> {
  const body = { model: "sd2", inputs: { prompt: video.name, duration: "4s" } };
  const { taskId } = await ask<{ taskId: string }>(client, "/api/v1/jobs/createTask", body);
  let task: TaskView = { status: "unknown", output: null };
  await waitUntil(
    `the task with ${video.name} is over`,
    async () => {
      task = await ask<TaskView>(client, `/api/v1/jobs/queryTask?taskId=${taskId}`);
      return task.status === "COMPLETED" || task.status === "FAILED";
    },
    { timeoutMs: passMsMax, intervalMs: 200 },
  );
  const url = task.output?.[0]?.url;
  if (url === undefined) return [`${video.name} did not become an output: ${JSON.stringify(task)}`];
  return compare(video, await fetchAndHash(url));
}

interface TaskView {
  status: string;
  output: { url: string }[] | null;
}

/** Uploads the video into the library by its address, waits for its review and fetches the copy back. */
export async function passAsAsset(client: Client, video: PaddedVideo): Promise<string[]> {
  const body = { type: "VIDEO", url: client.vendor.urlOf(video), name: video.name };
  let asset = await ask<AssetView>(client, "/api/v1/assets/upload", body);
  await waitUntil(
    `${video.name} is reviewed`,
    async () => {
      asset = await ask<AssetView>(client, `/api/v1/assets/status?assetId=${asset.assetId}`);
      return asset.status !== "PROCESSING";
    },
    { timeoutMs: passMsMax, intervalMs: 200 },
  );
  if (asset.status !== "ACTIVE" || asset.storageUrl === null)
    return [`${video.name} did not pass its review: ${JSON.stringify(asset)}`];
  return compare(video, await fetchAndHash(asset.storageUrl));
}

interface AssetView {
  assetId: number;
  status: string;
  storageUrl: string | null;
}

function compare(video: PaddedVideo, received: Fetched): string[] {
  if (received.sizeBytes === video.sizeBytes && received.sha256 === video.sha256) return [];
  return [
    `${video.name} came back as ${received.sizeBytes} bytes ${received.sha256}, not ${video.sizeBytes} bytes ${video.sha256}`,
  ];
}
