import { readFile } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { databaseOnlySettings } from "@zoetrope/dev/server-settings.ts";
import { waitUntil } from "@zoetrope/dev/services/wait-until.ts";
import { startServer } from "@zoetrope/dev/start-server.ts";
import { nextMessage, startChild } from "@zoetrope/testkit/child.ts";
import { readCpuMs, startCpuCount } from "@zoetrope/testkit/cpu-time.ts";
import { percentile } from "@zoetrope/testkit/percentile.ts";
import { print } from "@zoetrope/testkit/print.ts";
import { makeScratch } from "@zoetrope/testkit/services/scratch.ts";
import { Agent, request } from "undici";
import {
  type BenchDatabase,
  makeBenchDatabase,
  startBenchPostgres,
} from "../create/bench-database.ts";
import { startClientProcesses } from "./clients.ts";
import { faultOfFileLimit } from "./file-limit.ts";
import type { Waiter } from "./messages.ts";
import { makeWaiters, readCommitTimes } from "./waiter-tasks.ts";

const changesPerSecond = 200;
const cutEveryMs = 5_000;
const warmUpRequests = 2_000;
const settleMs = 5_000;
/** The time for which the clients wait in silence, and then are cut in silence. */
const reconnectMs = 2 * cutEveryMs;
/** After the last change: more than twice the time after which lost notifications are found. */
const lastMsMax = 30_000;

const kbPerClientMax = 20;

const collectOnSignal = new URL("./collect-on-signal.ts", import.meta.url).href;
const changeProcess = fileURLToPath(new URL("./change-process.ts", import.meta.url));

/**
 * Measures this many clients that wait for one task each, half of them by polls and half by
 * streams, on one api process; every change is made in another process. First on good connections,
 * then on connections that break all the time.
 */
export async function runWaiters(clientCount: number): Promise<void> {
  const fault = await faultOfFileLimit(clientCount);
  if (fault !== null) throw new Error(fault);
  await using scratch = await makeScratch("waiters");
  await using postgres = await startBenchPostgres(scratch.path, { track_commit_timestamp: "on" });
  const database = await makeBenchDatabase(postgres, "bench");
  const env = await databaseOnlySettings(scratch.path, database.serviceUrl);
  const nodeArgs = ["--expose-gc", "--import", collectOnSignal];
  await using api = await startServer({ role: "api", env, dir: scratch.path, nodeArgs });
  await using changer = startChild(changeProcess, { ...env, LOG_LEVEL: "warn" });
  await using clients = startClientProcesses();
  const port = Number(env.API_PORT);
  const stack = { database, api, changer, clients, port, postgres };

  const waiters = await makeWaiters(database, clientCount);
  await warmUp(port, waiters);
  const before = await readRssKb(api.pid);
  await clients.start(port, waiters);
  const after = await readRssKb(api.pid);
  const kbPerClient = (after - before) / clientCount;
  print(
    `${clientCount} clients wait: the api has ${mb(after)} MB, before them it had ${mb(before)} MB`,
  );

  const good = await seeThrough(stack, waiters, "good connections");
  const laterWaiters = await makeWaiters(database, clientCount);
  await clients.start(port, laterWaiters);
  const reconnectCpuMs = await measureReconnect(stack);
  const bad = await seeThrough(stack, laterWaiters, `cut every ${cutEveryMs / 1_000} s`);
  const missed = good.missed + bad.missed;
  print(
    `clients=${clientCount} missed=${missed} kb_per_client=${kbPerClient.toFixed(1)} reconnect_cpu_ms=${reconnectCpuMs.toFixed(3)} p95_ms=${good.p95Ms.toFixed(0)} p95_cut_ms=${bad.p95Ms.toFixed(0)}`,
  );
  if (missed > 0 || kbPerClient > kbPerClientMax) process.exitCode = 1;
}

interface Stack {
  database: BenchDatabase;
  api: { pid: number };
  postgres: { pid: number };
  changer: ReturnType<typeof startChild>;
  clients: ReturnType<typeof startClientProcesses>;
}

/** Changes every task until it is over, and counts ends not seen and states seen twice. */
async function seeThrough(stack: Stack, waiters: Waiter[], what: string) {
  const { clients, changer, database } = stack;
  const cpu = await startCpuCount({ api: stack.api.pid, postgres: stack.postgres.pid });
  const isChanged = (message: unknown): message is "changed" => message === "changed";
  const changed = nextMessage(changer, isChanged);
  changer.send({ taskIds: waiters.map(({ taskId }) => taskId), perSecond: changesPerSecond });
  await changed;
  const cpuMs = await cpu.perItem(2 * waiters.length);
  await waitUntil("every client has seen the end", () => clients.ended() === waiters.length, {
    timeoutMs: lastMsMax,
  }).catch(() => {});
  const observations = await clients.report();
  const committedAt = await readCommitTimes(database, waiters);
  const delays = observations.flatMap(({ taskId, endSeenAtMs }) =>
    endSeenAtMs === null ? [] : [endSeenAtMs - (committedAt.get(taskId) ?? Number.NaN)],
  );
  const at = (share: number) => percentile(delays, share);
  const unseen = observations.length - delays.length;
  const twice = observations.reduce((sum, observation) => sum + observation.twice, 0);
  print(
    `${what}: ${2 * waiters.length} changes at ${changesPerSecond}/s, from commit to client p50 ${at(0.5).toFixed(0)} ms, p95 ${at(0.95).toFixed(0)} ms, p99 ${at(0.99).toFixed(0)} ms, worst ${at(1).toFixed(0)} ms`,
  );
  print(
    `  ends unseen ${unseen}, states seen twice ${twice}, reconnects ${clients.reconnects()}, other answers: ${clients.faults()}; cpu_ms_per_change ${cpuMs}`,
  );
  return { missed: unseen + twice, p95Ms: at(0.95) };
}

/**
 * Measures the processor time of the api for one client that reconnects, beyond what all of them
 * cost while they wait. The connections are cut from then on.
 */
async function measureReconnect({ api, clients }: Stack): Promise<number> {
  const inTime = async (ms: number) => {
    const before = (await readCpuMs({ api: api.pid })).get("api") ?? 0;
    await pause(ms);
    return ((await readCpuMs({ api: api.pid })).get("api") ?? 0) - before;
  };
  const silent = await inTime(reconnectMs);
  clients.cut(cutEveryMs);
  const cut = await inTime(reconnectMs);
  const count = clients.reconnects();
  const perReconnect = (cut - silent) / count;
  print(
    `cut every ${cutEveryMs / 1_000} s while nothing changes: ${count} reconnects in ${reconnectMs / 1_000} s, the api used ${cut} ms of processor, ${silent} ms without them`,
  );
  return perReconnect;
}

/** Code that is loaded and compiled once does not count as the clients' memory. */
async function warmUp(port: number, waiters: Waiter[]): Promise<void> {
  const agent = new Agent({ connections: 16 });
  const ask = async (_: unknown, n: number) => {
    const { taskId, key } = waiters[n % waiters.length] ?? { taskId: "", key: "" };
    const url = `http://127.0.0.1:${port}/api/v1/jobs/queryTask?taskId=${taskId}`;
    const headers = { authorization: `Bearer ${key}` };
    const { statusCode, body } = await request(url, { headers, dispatcher: agent });
    const text = await body.text();
    if (statusCode !== 200) throw new Error(`queryTask answered ${statusCode}: ${text}`);
  };
  await Promise.all(Array.from({ length: warmUpRequests }, ask));
  await agent.close();
}

/** Resident memory of the api when idle, after garbage collection. Linux only. */
async function readRssKb(pid: number): Promise<number> {
  await pause(settleMs);
  process.kill(pid, "SIGUSR2");
  await pause(settleMs);
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]);
}

function mb(kb: number): string {
  return (kb / 1_024).toFixed(0);
}
