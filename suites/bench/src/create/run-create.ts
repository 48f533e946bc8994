import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { databaseOnlySettings } from "@zoetrope/dev/server-settings.ts";
import { freePort } from "@zoetrope/dev/services/ports.ts";
import { printsLine, startProcess } from "@zoetrope/dev/services/process.ts";
import { startServer } from "@zoetrope/dev/start-server.ts";
import { startCpuCount } from "@zoetrope/testkit/cpu-time.ts";
import { percentile } from "@zoetrope/testkit/percentile.ts";
import { print } from "@zoetrope/testkit/print.ts";
import { makeScratch } from "@zoetrope/testkit/services/scratch.ts";
import { startSink } from "@zoetrope/testkit/start-sink.ts";
import { median, ratios } from "../ratios.ts";
import {
  accountCount,
  type BenchDatabase,
  closeOpenTasks,
  makeBenchDatabase,
  startBenchPostgres,
} from "./bench-database.ts";
import { measureLatency, measureRate, type Target } from "./load.ts";
import { measurePgbench } from "./pgbench.ts";
import { printTail, type Timed } from "./tail.ts";

const clients = 16;
const rounds = 7;
const roundSeconds = 6;
/** Until the compiler of both sides has seen its work. */
const warmUpSeconds = 15;
const perSecond = 50;

const bareServer = fileURLToPath(new URL("./bare-server.ts", import.meta.url));

/**
 * createTask side by side with what limits it, alternating in one run: PostgreSQL alone calling the
 * same function, and a bare route that only calls it. Everything, the load included, on this machine.
 */
export async function runCreate(latencySeconds: number): Promise<void> {
  await using scratch = await makeScratch("bench");
  await using postgres = await startBenchPostgres(scratch.path);
  const database = await makeBenchDatabase(postgres, "bench");
  await using engine = await startSink();
  await using started = new AsyncDisposableStack();
  const api = started.use(await startApi(scratch.path, database, engine.url));
  const bare = started.use(await startBare(scratch.path, database));

  const contestants: Record<string, (seconds: number) => Promise<number>> = {
    createTask: (seconds) => measureRate(api.target, { clients, seconds, accounts: accountCount }),
    "bare route": (seconds) =>
      measureRate(bare.target, { clients, seconds, accounts: accountCount }),
    pgbench: (seconds) => measurePgbench(database, { clients, seconds, dir: scratch.path }),
  };
  // First, while the disk is idle: what saturates it below is still being written minutes later.
  print(`${perSecond} creates a second on each side for ${latencySeconds} s, answered or not …`);
  const load = { perSecond, accounts: accountCount };
  await measureLatency(api.target, { ...load, seconds: warmUpSeconds });
  const [ours, beside] = await Promise.all(
    [api, bare].map(({ target }) => measureLatency(target, { ...load, seconds: latencySeconds })),
  );
  printTail(ours ?? [], beside ?? []);
  const pids = { api: api.pid, bare: bare.pid, postgres: postgres.pid };
  const rates = await measureInRounds(database, contestants, pids);
  const p = (share: number, side: readonly Timed[] = []) =>
    percentile(
      side.map(({ ms }) => ms),
      share,
    ).toFixed(1);
  const ratio = (other: string) => median(ratios(rates, "createTask", other)).toFixed(2);
  print(
    `ratio_http=${ratio("bare route")} ratio_pgbench=${ratio("pgbench")} p50_ms=${p(0.5, ours)} p99_ms=${p(0.99, ours)} bare_p50_ms=${p(0.5, beside)} bare_p99_ms=${p(0.99, beside)}`,
  );
}

async function measureInRounds(
  database: BenchDatabase,
  contestants: Record<string, (seconds: number) => Promise<number>>,
  pids: Record<string, number>,
): Promise<Map<string, number[]>> {
  const rates = new Map(Object.keys(contestants).map((name) => [name, [] as number[]]));
  for (let round = 0; round <= rounds; round++)
    for (const [name, measure] of Object.entries(contestants)) {
      await closeOpenTasks(database);
      const seconds = round === 0 ? warmUpSeconds : roundSeconds;
      const cpu = await startCpuCount(pids);
      const rate = await measure(seconds);
      if (round > 0) rates.get(name)?.push(rate);
      const title = `${round === 0 ? "warm-up" : `round ${round}`}  ${name.padEnd(11)}`;
      print(
        `${title} ${rate.toFixed(0)}/s  cpu_ms_per_create ${await cpu.perItem(rate * seconds)}`,
      );
    }
  return rates;
}

export async function startApi(
  dir: string,
  database: BenchDatabase,
  engineUrl: string,
  { name = "api", more = {} }: { name?: string; more?: Record<string, string> } = {},
) {
  const env = {
    ...(await databaseOnlySettings(dir, database.serviceUrl)),
    ...more,
    DATABASE_CONNECTIONS_MAX: String(clients),
    RESTATE_INGRESS_URL: engineUrl,
  };
  const api = await startServer({ role: "api", name, env, dir });
  const headers = (n: number) => ({ authorization: `Bearer ${database.keys[n]}` });
  const target: Target = { url: `${env.PUBLIC_URL}/api/v1/jobs/createTask`, headers };
  return Object.assign(api, { target });
}

async function startBare(dir: string, database: BenchDatabase) {
  const port = await freePort();
  const bare = await startProcess({
    name: "bare route",
    command: process.execPath,
    args: [bareServer, String(port), database.serviceUrl, String(clients)],
    logFile: join(dir, "bare.log"),
    isReady: printsLine(/listening/),
  });
  const headers = (n: number) => ({ "x-account": String(n) });
  const target: Target = { url: `http://127.0.0.1:${port}/`, headers };
  return Object.assign(bare, { target });
}
