import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { databaseOnlySettings } from "@zoetrope/dev/server-settings.ts";
import { startPostgres } from "@zoetrope/dev/services/postgres.ts";
import { withClient } from "@zoetrope/dev/services/with-client.ts";
import { startServer } from "@zoetrope/dev/start-server.ts";
import { percentile } from "@zoetrope/testkit/percentile.ts";
import { print } from "@zoetrope/testkit/print.ts";
import { makeScratch } from "@zoetrope/testkit/services/scratch.ts";
import { Agent, request } from "undici";
import { median } from "../ratios.ts";
import { type Endpoint, endpoints, fillEndpoints, isServed } from "./endpoints.ts";
import { type ListDatabase, makeListDatabase } from "./list-database.ts";
import { readPlans } from "./read-plans.ts";

const perSecond = 20;
const rounds = 5;
const warmUpSeconds = 5;
const triesMax = 100;
const retryMs = 1_000;
const settings = {
  shared_buffers: "2GB",
  max_wal_size: "16GB",
  checkpoint_timeout: "1h",
  work_mem: "64MB",
  maintenance_work_mem: "1GB",
  fsync: "off",
  wal_level: "minimal",
  max_wal_senders: "0",
};

interface Side {
  database: ListDatabase;
  url: string;
  /** p95 of each round, by endpoint. */
  p95: Map<string, number[]>;
  /** The latencies of all rounds. */
  latencies: Map<string, number[]>;
}

/**
 * The lists of a console at 20 requests a second each, on a long history and, alternating, on a short
 * one. Reading only: the database need not survive a power cut, so filling it does not wait for the disk.
 */
export async function runLists(options: {
  many: number;
  few: number;
  seconds: number;
  plansFile: string | null;
}): Promise<void> {
  await using scratch = await makeScratch("lists");
  await using postgres = await startPostgres({ dir: join(scratch.path, "postgres"), settings });
  await using started = new AsyncDisposableStack();
  const sides: Record<string, Side> = {};
  let measured: Endpoint[] = [];
  for (const [name, tasks] of [
    ["few", options.few],
    ["many", options.many],
  ] as const) {
    const database = await makeListDatabase(postgres, name, tasks);
    await withClient(database.ownerUrl, async (client) => {
      await fillEndpoints(client, database);
      await client.query("vacuum analyze");
    });
    const { api, url } = await startApi(scratch.path, database, name);
    started.use(api);
    measured = await served(url, database);
    sides[name] = { database, url, p95: new Map(), latencies: new Map() };
  }
  await withClient(postgres.url, (client) => client.query("checkpoint"));
  print(`measured: ${measured.map(({ name }) => name).join(", ")}`);
  for (let round = 0; round <= rounds; round++)
    for (const [name, side] of Object.entries(sides))
      await runRound({ round, name, side, endpoints: measured, seconds: options.seconds });
  const { few, many } = sides;
  if (few === undefined || many === undefined) throw new Error("both are made above");
  const { database } = many;
  const plans = await readPlans(scratch.path, database, measured, async (use) => {
    const { api, url } = await startApi(scratch.path, database, "plans");
    await using _ = api;
    await use(url);
  });
  await report(plans, options.plansFile);
  summarise(measured, few, many);
}

async function served(url: string, database: ListDatabase): Promise<Endpoint[]> {
  const there: Endpoint[] = [];
  for (const endpoint of endpoints)
    if (await isServed(url, database, endpoint)) there.push(endpoint);
  return there;
}

async function startApi(dir: string, database: ListDatabase, name: string) {
  const env = await databaseOnlySettings(dir, database.serviceUrl);
  const api = await startServer({ role: "api", name: `api-${name}`, env, dir });
  return { api, url: env.PUBLIC_URL };
}

async function report(plans: string, file: string | null): Promise<void> {
  if (file === null) return print(plans);
  await mkdir(join(file, ".."), { recursive: true });
  await writeFile(file, `${plans}\n`);
  print(`plans: ${file}`);
}

function summarise(all: readonly Endpoint[], few: Side, many: Side): void {
  const figures = all.map(({ name }) => {
    const p95 = percentile(many.latencies.get(name) ?? [], 0.95);
    const before = few.p95.get(name) ?? [];
    const ratios = (many.p95.get(name) ?? []).map((value, round) => value / (before[round] ?? 0));
    return { name, p95, p95Few: percentile(few.latencies.get(name) ?? [], 0.95), ratios };
  });
  for (const { name, p95, p95Few, ratios } of figures)
    print(
      `${name.padEnd(9)} p95 ${p95.toFixed(1)} ms with ${many.database.tasks} tasks, ${p95Few.toFixed(1)} ms with ${few.database.tasks}, growth ${median(ratios).toFixed(2)}`,
    );
  const p95Max = Math.max(...figures.map(({ p95 }) => p95));
  const growth = Math.max(...figures.map(({ ratios }) => median(ratios)));
  print(`p95_ms_max=${p95Max.toFixed(1)} growth=${growth.toFixed(2)}`);
}

/** All endpoints at once, each at its own rate. The first round warms up. */
async function runRound({
  round,
  name,
  side,
  endpoints: all,
  seconds,
}: {
  round: number;
  name: string;
  side: Side;
  endpoints: readonly Endpoint[];
  seconds: number;
}): Promise<void> {
  const agent = new Agent({ connections: 64 });
  const isWarmUp = round === 0;
  const lasting = isWarmUp ? warmUpSeconds : seconds;
  const latencies = await Promise.all(
    all.map((endpoint, index) =>
      measure(agent, side, endpoint, {
        seconds: lasting,
        first: round * 1_000,
        delayMs: (index * 1_000) / perSecond / all.length,
      }),
    ),
  );
  await agent.close();
  const shown = all.map((endpoint, index) => {
    const values = latencies[index] ?? [];
    const p95 = percentile(values, 0.95);
    if (!isWarmUp) {
      side.p95.set(endpoint.name, [...(side.p95.get(endpoint.name) ?? []), p95]);
      side.latencies.set(endpoint.name, [...(side.latencies.get(endpoint.name) ?? []), ...values]);
    }
    return `${endpoint.name} ${p95.toFixed(1)}`;
  });
  const title = isWarmUp ? "warm-up" : `round ${round}`;
  print(`${title}  ${name.padEnd(4)}  p95 in ms: ${shown.join("  ")}`);
}

/** Sends requests at fixed times, and returns the milliseconds from when each was due to its response. */
async function measure(
  agent: Agent,
  { url, database }: Side,
  endpoint: Endpoint,
  { seconds, first, delayMs }: { seconds: number; first: number; delayMs: number },
): Promise<number[]> {
  const startedAt = performance.now() + delayMs;
  return Promise.all(
    Array.from({ length: seconds * perSecond }, async (_, index) => {
      const dueAt = startedAt + (index * 1_000) / perSecond;
      await new Promise((resolve) => setTimeout(resolve, Math.max(dueAt - performance.now(), 0)));
      const { path, headers } = endpoint.request(database, first + index);
      await get(agent, url + path, headers);
      return performance.now() - dueAt;
    }),
  );
}

/** Sends a request and repeats it while the service is too busy: the time until the success counts. */
async function get(agent: Agent, url: string, headers: Record<string, string>): Promise<void> {
  for (let tries = 1; ; tries++) {
    const answer = await request(url, { headers, dispatcher: agent });
    const text = await answer.body.text();
    if (answer.statusCode === 200) return;
    if (answer.statusCode !== 503 || tries === triesMax)
      throw new Error(`${url} answered ${answer.statusCode}: ${text}`);
    await new Promise((resolve) => setTimeout(resolve, retryMs));
  }
}
