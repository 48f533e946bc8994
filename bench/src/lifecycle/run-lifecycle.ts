import { execFile } from "node:child_process";
import { createHash, randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { alike, openAccounts } from "@zoetrope/dev/open-accounts.ts";
import { freePort } from "@zoetrope/dev/services/ports.ts";
import { printsLine, type RunningProcess, startProcess } from "@zoetrope/dev/services/process.ts";
import { waitUntil } from "@zoetrope/dev/services/wait-until.ts";
import { type Stack, startStack } from "@zoetrope/dev/stack.ts";
import { startCpuCount } from "@zoetrope/testkit/cpu-time.ts";
import { inParallel } from "@zoetrope/testkit/in-parallel.ts";
import { print } from "@zoetrope/testkit/print.ts";
import { makeScratch } from "@zoetrope/testkit/services/scratch.ts";
import { Agent, request } from "undici";
import { median, ratios } from "../ratios.ts";
import { startVendor, type Vendor } from "./vendor.ts";

const run = promisify(execFile);
const rounds = 3;
const tasksPerRound = 1_000;
const videosPerRound = 100;
const clients = 32;
/** So many that no account's lock is waited for. */
const accountCount = 40;
const roundMsMax = 120_000;

/**
 * The whole life of a task, from createTask over the vendor's callback to the customer's, beside the
 * bare engine with as many invocations and empty steps, alternating on the same engine.
 */
export async function runLifecycle(): Promise<void> {
  const withoutVideo = await measure({ hasVideo: false, tasks: tasksPerRound, pollSteps: 2 });
  const withVideo = await measure({ hasVideo: true, tasks: videosPerRound, pollSteps: 3 });
  print(
    `with a video fetched, measured and stored: ratio_engine=${withVideo.ratio.toFixed(2)} tasks_per_s=${withVideo.rate.toFixed(0)}`,
  );
  print(
    `ratio_engine=${withoutVideo.ratio.toFixed(2)} tasks_per_s=${withoutVideo.rate.toFixed(0)}`,
  );
}

async function measure(options: { hasVideo: boolean; tasks: number; pollSteps: number }) {
  await using scratch = await makeScratch("lifecycle");
  const video = options.hasVideo ? await makeVideo(scratch.path) : null;
  await using vendor = await startVendor(video);
  await using stack = await startStack({
    dir: scratch.path,
    serverEnv: { VENDORS: vendor.settings, LOG_LEVEL: "info" },
  });
  const plan = { name: "bench", credits: 100_000_000, openTasksMax: 1_000_000 };
  const accounts = await openAccounts(stack.databaseOwnerUrl, alike(accountCount, plan));
  const keys = accounts.map(({ key }) => key);
  await using bare = await startBare(scratch.path, stack, options.pollSteps);
  const rates = new Map<string, number[]>([
    ["life", []],
    ["engine", []],
  ]);
  for (let round = 0; round <= rounds; round++)
    for (const name of ["life", "engine"]) {
      const cpu = await startCpuCount(pidsOf(stack));
      const startedAt = performance.now();
      if (name === "life") await liveTasks(stack, vendor, keys, options.tasks);
      else await invokeBare(stack, bare, options.tasks);
      const rate = options.tasks / ((performance.now() - startedAt) / 1_000);
      if (round > 0) rates.get(name)?.push(rate);
      const what = options.hasVideo ? "with video" : "without";
      print(
        `${round === 0 ? "warm-up" : `round ${round}`}  ${name.padEnd(7)} ${what}  ${rate.toFixed(0)}/s  cpu_ms_per_task ${await cpu.perItem(options.tasks)}`,
      );
    }
  return { ratio: median(ratios(rates, "life", "engine")), rate: median(rates.get("life") ?? []) };
}

/** The load is this process: the vendor and the customer too. */
function pidsOf({ api, worker, restate, postgres }: Stack): Record<string, number> {
  return { api: api.pid, worker: worker.pid, engine: restate.pid, postgres: postgres.pid };
}

/** Creates tasks and waits until the last of them has been called back. */
async function liveTasks(
  stack: Stack,
  vendor: Vendor,
  keys: string[],
  count: number,
): Promise<void> {
  const before = vendor.calledBack();
  const body = JSON.stringify({
    model: "sd2",
    inputs: { prompt: "a fox crosses a frozen lake", duration: "4s" },
    callBackUrl: vendor.callbackUrl,
  });
  await send(count, (n) => ({
    url: `${stack.apiUrl}/api/v1/jobs/createTask`,
    headers: {
      authorization: `Bearer ${keys[n % keys.length]}`,
      "content-type": "application/json",
    },
    body,
  }));
  await until("every customer is called back", () => vendor.calledBack() - before >= count);
}

async function invokeBare(stack: Stack, bare: RunningProcess, count: number): Promise<void> {
  const before = await endedOf(bare);
  const { ingressUrl } = stack.restate;
  await send(2 * count, (n) => {
    // A task is submitted and polled: two invocations of one key, the second after the first.
    const id = createHash("sha1")
      .update(`${before} ${Math.floor(n / 2)}`)
      .digest("hex");
    return { url: `${ingressUrl}/bare/${id}/${n % 2 === 0 ? "submit" : "poll"}/send` };
  });
  await until("every poll has ended", async () => (await endedOf(bare)) - before >= count);
}

interface Call {
  url: string;
  headers?: Record<string, string>;
  body?: string;
}

async function send(count: number, callOf: (n: number) => Call): Promise<void> {
  const agent = new Agent({ connections: clients });
  await inParallel(clients, Array(count).keys(), async (n) => {
    const { url, ...options } = callOf(n);
    const answer = await request(url, { method: "POST", dispatcher: agent, ...options });
    const text = await answer.body.text();
    if (answer.statusCode >= 300) throw new Error(`${url} answered ${answer.statusCode}: ${text}`);
  });
  await agent.close();
}

function until(what: string, isTrue: () => boolean | Promise<boolean>): Promise<void> {
  return waitUntil(what, async () => isTrue(), { timeoutMs: roundMsMax, intervalMs: 20 });
}

async function endedOf(bare: RunningProcess): Promise<number> {
  const log = await readFile(bare.logFile, "utf8");
  return Number(/ended (\d+)\n$/.exec(log)?.[1] ?? 0);
}

async function startBare(dir: string, stack: Stack, pollSteps: number) {
  const port = await freePort();
  const bare = await startProcess({
    name: "bare engine",
    command: process.execPath,
    args: [
      fileURLToPath(new URL("./bare-engine.ts", import.meta.url)),
      String(port),
      String(pollSteps),
    ],
    logFile: join(dir, `bare-${randomUUID()}.log`),
    isReady: printsLine(/listening/),
  });
  const answer = await request(`${stack.restate.adminUrl}/deployments`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ uri: `http://127.0.0.1:${port}` }),
  });
  await answer.body.dump();
  if (answer.statusCode >= 300) throw new Error(`registering answered ${answer.statusCode}`);
  return bare;
}

/** A real video of four seconds: fetched, hashed, measured and stored for every task. */
async function makeVideo(dir: string): Promise<string> {
  const path = join(dir, "bench.mp4");
  const source = ["-f", "lavfi", "-i", "testsrc=size=1280x720:rate=24:duration=4"];
  await run("ffmpeg", ["-loglevel", "error", "-y", ...source, "-pix_fmt", "yuv420p", path]);
  return path;
}
