import assert from "node:assert";
import { waitUntil } from "@zoetrope/testkit/services/wait-until.ts";
import type { Client } from "pg";
import { type Answer, callApi } from "../../kit/load/call-api.ts";
import type { FileServer } from "./file-server.ts";
import { type MediaFile, type Trial, trialsOf } from "./media-file.ts";
import { orderAt } from "./orders.ts";

const atOnceMax = 4;
const endMsMax = 600_000;
const uploadUse = "upload";

export interface World {
  apiUrl: string;
  key: string;
  db: Client;
  server: FileServer;
  good: MediaFile;
}

/** An asset as its owner is told of it. */
export interface AssetView {
  assetId: number;
  upstreamAssetId: string;
  status: string;
  failReason: string | null;
  storageUrl: string | null;
  width: number | null;
  height: number | null;
  size: number | null;
  duration: number | null;
}

/** What became of one use of a file. */
export interface Tried {
  trial: Trial;
  use: string;
  order: Answer;
  taskId: string | null;
}

export interface Offered {
  file: MediaFile;
  asset: AssetView;
  tried: Tried[];
}

/** Offers every file at the library, and then at the doors of tasks. Returns when all have ended. */
export async function tryFiles(world: World, files: readonly MediaFile[]): Promise<Offered[]> {
  const assets = await inTurns(files, (file) => upload(world, file));
  // Review is another run's subject: what was stored counts as passed.
  await world.db.query("update assets set status = 'ACTIVE' where status = 'NONE'");
  const offered = await inTurns(files, async (file, index) => {
    const asset = assets[index];
    assert(asset !== undefined);
    const tried: Tried[] = [];
    for (const trial of trialsOf(file)) tried.push(await order(world, file, asset, trial));
    return { file, asset, tried };
  });
  await waitUntil(
    "every task has ended",
    async () => {
      const { rows } = await world.db.query<{ open: string }>(
        "select count(*) as open from open_tasks",
      );
      return rows[0]?.open === "0";
    },
    { timeoutMs: endMsMax, intervalMs: 500 },
  );
  return offered;
}

async function upload(world: World, file: MediaFile): Promise<AssetView> {
  const body = { url: world.server.urlOf(file, uploadUse), type: file.said, name: file.name };
  const path = "/api/v1/assets/upload";
  const answer = await call(world, { method: "POST", path, body });
  assert(answer.status === 200, `${file.name}: ${JSON.stringify(answer)}`);
  let asset = answer.body as AssetView;
  await waitUntil(
    `${file.name} is decided`,
    async () => {
      const path = `/api/v1/assets/status?assetId=${asset.assetId}`;
      asset = (await call(world, { method: "GET", path })).body as AssetView;
      return asset.status !== "PROCESSING";
    },
    { timeoutMs: endMsMax, intervalMs: 100 },
  );
  return asset;
}

async function order(
  world: World,
  file: MediaFile,
  asset: AssetView,
  trial: Trial,
): Promise<Tried> {
  const use = `${trial.door} ${trial.via}`;
  const { server, good } = world;
  const link = trial.via === "asset" ? `asset://${asset.upstreamAssetId}` : server.urlOf(file, use);
  const body = orderAt(trial.door, link, server.urlOf(good, `${use} ${file.name}`));
  const answer = await call(world, { method: "POST", path: "/api/v1/jobs/createTask", body });
  const taskId = answer.status === 200 ? (answer.body as { taskId: string }).taskId : null;
  return { trial, use, order: answer, taskId };
}

export function fetchesOf({ file, tried }: Offered, server: FileServer) {
  const uses = tried.filter(({ trial }) => trial.via === "url").map(({ use }) => use);
  return [uploadUse, ...uses].map((use) => ({ use, times: server.timesAsked(file, use) }));
}

async function call(
  world: World,
  request: { method: "GET" | "POST"; path: string; body?: unknown },
) {
  const answer = await callApi(world.apiUrl, { ...request, key: world.key });
  assert(answer !== "none", `no answer to ${request.path}`);
  return answer;
}

async function inTurns<Item, Result>(
  items: readonly Item[],
  work: (item: Item, index: number) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const waiting = items.entries();
  const worker = async () => {
    for (const [index, item] of waiting) results[index] = await work(item, index);
  };
  await Promise.all(Array.from({ length: atOnceMax }, worker));
  return results;
}
