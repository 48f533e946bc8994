import assert from "node:assert";
import { waitUntil } from "@zoetrope/dev/services/wait-until.ts";
import { inParallel } from "@zoetrope/testkit/in-parallel.ts";
import type { Client } from "pg";
import { type Answer, ask, type Caller, callApi } from "../../kit/call-api.ts";
import { waitForTasks } from "../../kit/open-work.ts";
import type { FileServer } from "./file-server.ts";
import { type MediaFile, type Trial, trialsOf } from "./media-file.ts";
import { requestAt } from "./requests.ts";

const atOnceMax = 4;
const endMsMax = 600_000;
const uploadUse = "upload";

export interface MediaRun extends Caller {
  db: Client;
  databaseUrl: string;
  server: FileServer;
  good: MediaFile;
}

/** An asset as the API shows it. */
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

/** The outcome of one use of a file. */
export interface Tried {
  trial: Trial;
  use: string;
  request: Answer;
  taskId: string | null;
}

export interface Offered {
  file: MediaFile;
  asset: AssetView;
  tried: Tried[];
}

/** Offers every file at the library, and then at the entry points of tasks. Returns when all have ended. */
export async function tryFiles(run: MediaRun, files: readonly MediaFile[]): Promise<Offered[]> {
  const assets = await inParallel(atOnceMax, files, (file) => upload(run, file));
  // Review is another run's subject: what was stored counts as passed.
  await run.db.query("update assets set status = 'ACTIVE' where status = 'NONE'");
  const offered = await inParallel(atOnceMax, files, async (file, index) => {
    const asset = assets[index];
    assert(asset !== undefined);
    const tried: Tried[] = [];
    for (const trial of trialsOf(file)) tried.push(await request(run, file, asset, trial));
    return { file, asset, tried };
  });
  await waitForTasks(run.databaseUrl, endMsMax);
  return offered;
}

async function upload(run: MediaRun, file: MediaFile): Promise<AssetView> {
  const body = { url: run.server.urlOf(file, uploadUse), type: file.declaredType, name: file.name };
  let asset = await ask<AssetView>(run, "/api/v1/assets/upload", body);
  await waitUntil(
    `${file.name} is decided`,
    async () => {
      asset = await ask<AssetView>(run, `/api/v1/assets/status?assetId=${asset.assetId}`);
      return asset.status !== "PROCESSING";
    },
    { timeoutMs: endMsMax, intervalMs: 100 },
  );
  return asset;
}

async function request(
  run: MediaRun,
  file: MediaFile,
  asset: AssetView,
  trial: Trial,
): Promise<Tried> {
  const use = `${trial.entryPoint} ${trial.via}`;
  const { server, good } = run;
  const link = trial.via === "asset" ? `asset://${asset.upstreamAssetId}` : server.urlOf(file, use);
  const body = requestAt(trial.entryPoint, link, server.urlOf(good, `${use} ${file.name}`));
  const path = "/api/v1/jobs/createTask";
  const answer = await callApi(run.apiUrl, { method: "POST", path, key: run.key, body });
  assert(answer !== "none", `no answer to ${use}`);
  const taskId = answer.status === 200 ? (answer.body as { taskId: string }).taskId : null;
  return { trial, use, request: answer, taskId };
}

export function fetchesOf({ file, tried }: Offered, server: FileServer) {
  const uses = tried.filter(({ trial }) => trial.via === "url").map(({ use }) => use);
  return [uploadUse, ...uses].map((use) => ({ use, times: server.timesAsked(file, use) }));
}
