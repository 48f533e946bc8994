import assert from "node:assert";
import { createHash } from "node:crypto";
import { waitUntil } from "@zoetrope/dev/services/wait-until.ts";
import { callApi } from "../load/call-api.ts";
import type { FilmVendor } from "./film-vendor.ts";
import type { PaddedFilm } from "./padded-film.ts";

export interface World {
  readonly apiUrl: string;
  readonly key: string;
  readonly vendor: FilmVendor;
}

const passMsMax = 300_000;

/** Has a vendor make the film and fetches the output back as its owner would. Says what was wrong. */
export async function passAsTask(world: World, film: PaddedFilm): Promise<string[]> {
  const body = { model: "sd2", inputs: { prompt: film.name, duration: "4s" } };
  const { taskId } = await ask<{ taskId: string }>(world, "/api/v1/jobs/createTask", body);
  let task: TaskView = { status: "unknown", output: null };
  await waitUntil(
    `the task with ${film.name} is over`,
    async () => {
      task = await ask<TaskView>(world, `/api/v1/jobs/queryTask?taskId=${taskId}`);
      return task.status === "COMPLETED" || task.status === "FAILED";
    },
    { timeoutMs: passMsMax, intervalMs: 200 },
  );
  const url = task.output?.[0]?.url;
  if (url === undefined) return [`${film.name} did not become an output: ${JSON.stringify(task)}`];
  return compare(film, await fetchBack(url));
}

interface TaskView {
  status: string;
  output: { url: string }[] | null;
}

/** Uploads the film into the library by its address, waits for its review and fetches the copy back. */
export async function passAsAsset(world: World, film: PaddedFilm): Promise<string[]> {
  const body = { type: "VIDEO", url: world.vendor.urlOf(film), name: film.name };
  let asset = await ask<AssetView>(world, "/api/v1/assets/upload", body);
  await waitUntil(
    `${film.name} is reviewed`,
    async () => {
      asset = await ask<AssetView>(world, `/api/v1/assets/status?assetId=${asset.assetId}`);
      return asset.status !== "PROCESSING";
    },
    { timeoutMs: passMsMax, intervalMs: 200 },
  );
  if (asset.status !== "ACTIVE" || asset.storageUrl === null)
    return [`${film.name} did not pass its review: ${JSON.stringify(asset)}`];
  return compare(film, await fetchBack(asset.storageUrl));
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

function compare(film: PaddedFilm, received: Received): string[] {
  if (received.sizeBytes === film.sizeBytes && received.sha256 === film.sha256) return [];
  return [
    `${film.name} came back as ${received.sizeBytes} bytes ${received.sha256}, not ${film.sizeBytes} bytes ${film.sha256}`,
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
