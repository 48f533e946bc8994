import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { type OpenedAccount, openAccounts } from "@zoetrope/dev/open-accounts.ts";
import { freePort } from "@zoetrope/dev/services/ports.ts";
import { printsLine } from "@zoetrope/dev/services/process.ts";
import { waitUntil } from "@zoetrope/dev/services/wait-until.ts";
import { type Stack, startStack } from "@zoetrope/dev/stack.ts";
import { sandboxMain } from "@zoetrope/dev/start-sandbox.ts";
import { type Spread, spreadOf } from "@zoetrope/testkit/percentile.ts";
import { print } from "@zoetrope/testkit/print.ts";
import { ask } from "../../kit/call-api.ts";
import { inScratch } from "../../kit/in-scratch.ts";
import { readLines } from "../../kit/json-lines.ts";
import type { ReceivedRequest } from "../../kit/receiver/received-request.ts";
import { type Receiver, startReceiver } from "../../kit/receiver/start-receiver.ts";
import { printCounts, printFaults } from "../../kit/tally.ts";
import { type HostileContext, hostileNames } from "./hostile-context.ts";
import { startHostileFiles } from "./hostile-files.ts";
import { insertHistory } from "./insert-history.ts";
import { newSamples, runOrdinaryClient, type Samples } from "./ordinary.ts";
import { printCpuUsage } from "./print-cpu-usage.ts";
import { startAtIdlePriority } from "./start-at-idle-priority.ts";

const ordinaryCount = 10;
const tasksPerSecond = 1.5;
const endMsMax = 300_000;
const rounds = 2; // each quiet first, then beside the hostile accounts
const quietShare = 0.4; // of the time with them
const historyRowsPerSecond = 4_000; // 1.2 million in the whole run
const settleMs = 5_000;
const callbackMsMax = 180_000;
/** A shorter run has too few samples for a p99. */
const judgedFromMs = 300_000;
/**
 * Returns the promised maximum for an ordinary account: twice its quiet p99 and 200 ms, whoever
 * else is there.
 */
const allowedOf = (quietP99: number) => 2 * quietP99 + 200;

const measures = ["create", "query", "callback", "video", "image"] as const;
type Measure = (typeof measures)[number];
type Spreads = Record<Measure, Spread>;

const serverEnv = {
  LOG_LEVEL: "info",
  REQUESTS_PER_MINUTE_MAX: "6000", // as in production: the stack raises it otherwise
  REVIEW_IMAGE: "",
};
/**
 * Returns the sandbox's settings. The time of a real video and a real image is measured where it is
 * judged.
 */
const sandboxEnvOf = (isJudged: boolean) => ({
  SANDBOX_QUEUED_MS: "100",
  SANDBOX_RUNNING_MS: "500",
  SANDBOX_DRAFT: String(!isJudged),
});

/** Twelve hostile accounts beside ten ordinary ones: what the ordinary ones notice of it. */
export function runTenants(seconds: number): Promise<boolean> {
  print(`the hostile accounts are there for ${seconds} s`);
  return inScratch("tenants", (dir) => runIn(dir, seconds * 1_000));
}

async function runIn(dir: string, hostileMs: number) {
  const isJudged = hostileMs >= judgedFromMs;
  await using second = await startSecondSandbox(dir, isJudged);
  await using stack = await startStack({
    dir,
    sandboxEnv: sandboxEnvOf(isJudged),
    serverEnv,
    vendorUrls: { gemini: second.url },
  });
  await using receiver = await startReceiver(dir);
  await using files = await startHostileFiles();
  const opened = await openAccounts(
    stack.databaseOwnerUrl,
    Array.from({ length: ordinaryCount + hostileNames.length }, (_, index) => ({
      name: hostileNames[index] ?? `ordinary ${index}`,
      credits: 1_000_000,
      openTasksMax: 3,
    })),
  );
  const hostile = opened.slice(0, hostileNames.length);
  const ordinary = opened.slice(hostileNames.length);
  const context = await prepare(stack, receiver, files.url, hostile, hostileMs);
  const contextFile = join(dir, "hostile.json");
  await writeFile(contextFile, JSON.stringify(context));
  const children = {
    api: stack.api.pid,
    worker: stack.worker.pid,
    database: stack.postgres.pid,
    engine: stack.restate.pid,
    sandbox: stack.sandbox.pid,
    "second sandbox": second.pid,
    receiver: receiver.pid,
  };
  const run = (samples: Samples, ms: number, others: Record<string, number> = {}) =>
    printCpuUsage({ ...children, ...others }, () =>
      runOrdinary({ stack, receiver, ordinary }, samples, ms),
    );

  const quiet = newSamples();
  const beside = newSamples();
  await run(newSamples(), settleMs); // so that everything is loaded and planned
  for (let round = 1; round <= rounds; round += 1) {
    print(`round ${round}: quiet`);
    await run(quiet, (hostileMs * quietShare) / rounds);
    print(`round ${round}: beside the hostile accounts`);
    await using attackers = await startAtIdlePriority({
      name: "hostile",
      program: fileURLToPath(new URL("hostile-main.ts", import.meta.url)),
      args: [contextFile],
      logFile: join(dir, "logs", "hostile.log"),
      isReady: printsLine(/hostile\.started/),
      stopGraceMs: 60_000,
    });
    await run(beside, hostileMs / rounds, { hostile: attackers.pid });
    await attackers.stop();
    await pause(settleMs);
  }
  await printHostile(join(dir, "logs", "hostile.log"));
  return resultOf(
    await spreadsOf(quiet, receiver),
    await spreadsOf(beside, receiver),
    [...quiet.errors, ...beside.errors],
    [...quiet.lost, ...beside.lost],
    isJudged,
  );
}

/** Starts the vendor of the heavy edits as a separate process: its load is not the service's. */
async function startSecondSandbox(dir: string, isJudged: boolean) {
  const port = await freePort();
  const sandbox = await startAtIdlePriority({
    name: "second sandbox",
    program: sandboxMain,
    env: {
      SANDBOX_PORT: String(port),
      SANDBOX_DIR: join(dir, "sandbox-2"),
      SANDBOX_LOG: join(dir, "logs", "sandbox-2-journal.jsonl"),
      SANDBOX_DRAFT: String(!isJudged),
    },
    logFile: join(dir, "logs", "sandbox-2.log"),
    isReady: printsLine(/sandbox\.listening/),
  });
  return Object.assign(sandbox, { url: `http://127.0.0.1:${port}` });
}

/** A long history for one of them, and an image of 45 MB in the library of another. */
async function prepare(
  stack: Stack,
  receiver: Receiver,
  filesUrl: string,
  hostile: readonly OpenedAccount[],
  hostileMs: number,
): Promise<HostileContext> {
  const accounts = Object.fromEntries(
    hostile.map((account) => [account.name, account]),
  ) as HostileContext["accounts"];
  const rows = Math.round((historyRowsPerSecond * hostileMs) / 1_000);
  print(`${rows} callbacks in the past of one account`);
  await insertHistory(stack.databaseOwnerUrl, accounts["deep-listings"].accountId, rows);
  return {
    apiUrl: stack.apiUrl,
    databaseUrl: stack.databaseOwnerUrl,
    filesUrl,
    accounts,
    receiverUrl: receiver.url,
    heavyAsset: await uploadHeavy(stack.apiUrl, accounts["heavy-edits"], filesUrl),
    storageDir: stack.serverEnv["STORAGE_DIR"] ?? "",
  };
}

interface Asset {
  assetId: number;
  upstreamAssetId: string;
  status: string;
}

async function uploadHeavy(
  apiUrl: string,
  { key }: OpenedAccount,
  filesUrl: string,
): Promise<string> {
  const caller = { apiUrl, key };
  const body = { url: `${filesUrl}/heavy.png`, type: "IMAGE" };
  const { assetId, upstreamAssetId } = await ask<Asset>(caller, "/api/v1/assets/upload", body);
  const path = `/api/v1/assets/status?assetId=${assetId}`;
  const isStored = async () => (await ask<Asset>(caller, path)).status !== "PROCESSING";
  await waitUntil("the heavy image is stored", isStored, { timeoutMs: 180_000, intervalMs: 500 });
  return upstreamAssetId;
}

async function runOrdinary(
  shared: { stack: Stack; receiver: Receiver; ordinary: readonly OpenedAccount[] },
  samples: Samples,
  ms: number,
): Promise<void> {
  const { stack, receiver, ordinary } = shared;
  const stop = AbortSignal.timeout(ms);
  const everyMs = (1_000 * ordinary.length) / tasksPerSecond;
  const client = { apiUrl: stack.apiUrl, receiverUrl: receiver.url, everyMs, endMsMax };
  await Promise.all(
    ordinary.map((account) => runOrdinaryClient({ ...client, account }, samples, stop)),
  );
}

/**
 * Returns the spreads that the ordinary accounts saw, with the callbacks from the end of each task
 * to its arrival.
 */
async function spreadsOf(samples: Samples, receiver: Receiver): Promise<Spreads> {
  const wanted = new Set(samples.tasks.map(({ path }) => path));
  const arrivals = new Map<string, number>();
  const haveArrived = async () => {
    for (const { path, at } of await readLines<ReceivedRequest>(receiver.requestLog))
      if (wanted.has(path) && !arrivals.has(path)) arrivals.set(path, at);
    return arrivals.size === wanted.size;
  };
  const limits = { timeoutMs: callbackMsMax, intervalMs: 500 };
  await waitUntil("all callbacks have arrived", haveArrived, limits).catch(() => {});
  const callbacks = samples.tasks.map(({ taskId, path, completedMs }) => {
    const at = arrivals.get(path);
    if (at === undefined) samples.lost.push(`${taskId}: its callback never arrived`);
    return (at ?? Number.POSITIVE_INFINITY) - completedMs;
  });
  return {
    create: spreadOf(samples.create),
    query: spreadOf(samples.query),
    callback: spreadOf(callbacks),
    video: spreadOf(samples.video),
    image: spreadOf(samples.image),
  };
}

async function printHostile(logFile: string): Promise<void> {
  const totals: Record<string, Record<string, number>> = {};
  const lines = (await readFile(logFile, "utf8"))
    .split("\n")
    .filter((line) => line.startsWith("{"));
  for (const line of lines) {
    const { noted } = JSON.parse(line) as { noted: typeof totals };
    for (const [name, counts] of Object.entries(noted))
      for (const [what, count] of Object.entries(counts)) {
        const total = totals[name] ?? {};
        totals[name] = { ...total, [what]: (total[what] ?? 0) + count };
      }
  }
  print("what the hostile accounts were answered");
  for (const [name, counts] of Object.entries(totals))
    print(`  ${name.padEnd(18)} ${JSON.stringify(counts)}`);
}

/** The ratio is to what is allowed: above 1 the run fails. */
function resultOf(
  quiet: Spreads,
  beside: Spreads,
  errors: readonly string[],
  lost: readonly string[],
  isRatioJudged: boolean,
) {
  const ratios = measures.map((measure) => {
    const allowed = allowedOf(quiet[measure].p99);
    const ratio = beside[measure].p99 / allowed;
    print(
      `  ${measure.padEnd(9)} quiet p50 ${quiet[measure].p50} p99 ${quiet[measure].p99} ms (${quiet[measure].count}), beside p50 ${beside[measure].p50} p99 ${beside[measure].p99} ms (${beside[measure].count}), allowed ${allowed} ms: ${ratio.toFixed(2)}`,
    );
    return ratio;
  });
  printCounts(errors);
  printFaults("lost:", lost);
  const worst = Math.max(...ratios);
  return {
    hasPassed: (worst <= 1 || !isRatioJudged) && errors.length === 0 && lost.length === 0,
    lastLine: `tenants=${ordinaryCount + hostileNames.length} p99_ratio_max=${worst.toFixed(2)} errors=${errors.length} lost=${lost.length}`,
  };
}
