import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { Postgres } from "@zoetrope/dev/services/postgres.ts";
import { withClient } from "@zoetrope/dev/services/with-client.ts";
import { sessionSettings } from "@zoetrope/server/db/session-settings.ts";
import { print } from "@zoetrope/testkit/print.ts";
import { startPgbouncer } from "@zoetrope/testkit/services/pgbouncer.ts";
import { makeScratch } from "@zoetrope/testkit/services/scratch.ts";
import { startSink } from "@zoetrope/testkit/start-sink.ts";
import {
  accountCount,
  type BenchDatabase,
  closeOpenTasks,
  makeBenchDatabase,
  startBenchPostgres,
} from "../create/bench-database.ts";
import { measureRate, type Target } from "../create/load.ts";
import { startApi } from "../create/run-create.ts";
import { median, ratios } from "../ratios.ts";

const rounds = 7;
const roundSeconds = 6;
const warmUpSeconds = 4;
const clientsEach = 8;
const pooledConnections = 16;
const sampleEveryMs = 200;

interface Side {
  readonly name: "direct" | "pooled";
  readonly database: BenchDatabase;
  readonly targets: readonly Target[];
}

/**
 * Measures createTask of this many api processes with direct connections and behind PgBouncer,
 * alternating in one run, and the number of connections that PostgreSQL has meanwhile.
 */
export async function runPooler(processes: number): Promise<void> {
  await using scratch = await makeScratch("pooler");
  await using postgres = await startBenchPostgres(scratch.path, { max_connections: "1000" });
  await using engine = await startSink();
  await using started = new AsyncDisposableStack();

  async function startSide(name: Side["name"]): Promise<Side> {
    const database = await makeBenchDatabase(postgres, name);
    const more = name === "direct" ? {} : await poolerSettings(database.serviceUrl);
    const start = (n: number) =>
      startApi(scratch.path, database, engine.url, { name: `${name}-${n}`, more });
    const targets: Target[] = [];
    for (let n = 0; n < processes; n++) targets.push(started.use(await start(n)).target);
    return { name, database, targets };
  }

  async function poolerSettings(databaseUrl: string): Promise<Record<string, string>> {
    const dir = join(scratch.path, "pgbouncer");
    const options = { dir, databaseUrl, connectionsMax: pooledConnections };
    const pooler = started.use(await startPgbouncer({ ...options, settings: sessionSettings }));
    return { DATABASE_URL: pooler.url, DATABASE_SESSION_URL: databaseUrl };
  }

  const sides = [await startSide("direct"), await startSide("pooled")];
  const rates = new Map(sides.map(({ name }) => [name as string, [] as number[]]));
  const most = new Map<string, number>();
  for (let round = 0; round <= rounds; round++)
    for (const side of sides) {
      const { name, database } = side;
      await closeOpenTasks(database);
      const { rate, connections } = await measure(side, postgres, round);
      if (round > 0) rates.get(name)?.push(rate);
      most.set(name, Math.max(most.get(name) ?? 0, connections));
      print(
        `${round === 0 ? "warm-up" : `round ${round}`}  ${name}  ${rate.toFixed(0)}/s  ${connections} connections`,
      );
    }
  const perSecond = (name: string) => median(rates.get(name) ?? []).toFixed(0);
  print(
    `processes=${processes} creates_direct=${perSecond("direct")} creates_pooled=${perSecond("pooled")} ratio=${median(ratios(rates, "pooled", "direct")).toFixed(2)} connections_direct=${most.get("direct")} connections_pooled=${most.get("pooled")} of_which_listening=${processes}`,
  );
}

/** All processes at once, and the most connections that PostgreSQL had to the side's database. */
async function measure({ targets, database }: Side, postgres: Postgres, round: number) {
  const options = {
    clients: clientsEach,
    accounts: accountCount,
    seconds: round === 0 ? warmUpSeconds : roundSeconds,
  };
  const isOver = new AbortController();
  const sampling = countMost(postgres, database.name, isOver.signal);
  const rates = await Promise.all(targets.map((target) => measureRate(target, options)));
  isOver.abort();
  return { rate: rates.reduce((sum, rate) => sum + rate, 0), connections: await sampling };
}

function countMost(postgres: Postgres, name: string, stop: AbortSignal): Promise<number> {
  return withClient(postgres.url, async (db) => {
    const text = "select count(*)::int as count from pg_stat_activity where datname = $1";
    let most = 0;
    while (!stop.aborted) {
      const { rows } = await db.query<{ count: number }>(text, [name]);
      most = Math.max(most, rows[0]?.count ?? 0);
      await pause(sampleEveryMs, undefined, { signal: stop }).catch(() => {});
    }
    return most;
  });
}
