import { setTimeout as pause } from "node:timers/promises";
import { withClient } from "@zoetrope/dev/services/with-client.ts";
import type { Stack } from "@zoetrope/dev/stack.ts";
import { readCpuMs } from "@zoetrope/testkit/cpu-time.ts";
import { request } from "undici";
import { watchCpu } from "../cpu-watch.ts";

/** The costs of an output, by the name of the column. */
export type Costs = Record<(typeof columns)[number], number>;

export const columns = [
  // milliseconds of processor time
  "api",
  "worker",
  "engine",
  "postgres",
  "bare",
  "product",
  // counts and kilobytes of PostgreSQL
  "transactions",
  "commits",
  "syncs",
  "walKb",
  // counts of the engine
  "invocations",
  "journal",
  // processes started by the worker
  "starts",
] as const;

/** PostgreSQL adds up what its processes did at most once a second. */
const statisticsMs = 1_200;

/**
 * Counts from now on what the parts of a stack do. The service's loops are part of its product; the
 * product of the bare program is its own time and PostgreSQL's.
 */
export async function startCosts(stack: Stack, barePid: number | null) {
  const pids: Record<string, number> = {
    api: stack.api.pid,
    engine: stack.restate.pid,
    postgres: stack.postgres.pid,
  };
  if (barePid !== null) pids["bare"] = barePid;
  const before = await readCounts(stack);
  const cpuBefore = await readCpuMs(pids);
  const worker = watchCpu(stack.worker.pid);
  return {
    async perOutput(outputs: number, side: "service" | "bare"): Promise<Costs> {
      const { seconds, started } = await worker.stop();
      const cpuAfter = await readCpuMs(pids);
      const cpu = (name: string) => (cpuAfter.get(name) ?? 0) - (cpuBefore.get(name) ?? 0);
      await pause(statisticsMs);
      const after = await readCounts(stack);
      const used = {
        api: cpu("api"),
        worker: seconds * 1_000,
        engine: cpu("engine"),
        postgres: cpu("postgres"),
        bare: cpu("bare"),
      };
      const counted = Object.fromEntries(
        Object.entries(after).map(([name, count]) => [name, count - (before[name] ?? 0)]),
      );
      const ofService = used.api + used.worker + used.engine + used.postgres;
      const product = side === "service" ? ofService : used.bare + used.postgres;
      const all = { ...used, product, ...counted, starts: started };
      const perOne = Object.entries(all).map(([name, sum]) => [name, sum / outputs]);
      return Object.fromEntries(perOne) as Costs;
    },
  };
}

async function readCounts(stack: Stack): Promise<Record<string, number>> {
  return { ...(await readDatabase(stack.postgres.url)), ...(await readEngine(stack)) };
}

/** Commits are the transactions that got an id, because they wrote. */
function readDatabase(url: string): Promise<Record<string, number>> {
  return withClient(url, async (client) => {
    const { rows } = await client.query<Record<string, string>>(
      `select (select sum(xact_commit + xact_rollback) from pg_stat_database) as transactions,
              pg_snapshot_xmax(pg_current_snapshot()) as commits,
              (select wal_sync from pg_stat_wal) as syncs,
              pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0') / 1024 as "walKb"`,
    );
    return Object.fromEntries(
      Object.entries(rows[0] ?? {}).map(([k, value]) => [k, Number(value)]),
    );
  });
}

async function readEngine({ restate }: Stack): Promise<Record<string, number>> {
  const { body } = await request(`http://127.0.0.1:${restate.ports.node}/metrics`);
  const lines = (await body.text()).split("\n");
  const sum = (name: string) =>
    lines
      .filter((line) => line.startsWith(`restate_${name}{`))
      .reduce((total, line) => total + Number(line.slice(line.lastIndexOf(" "))), 0);
  return {
    invocations: sum("invoker_enqueue_total"),
    journal: sum("usage_leader_journal_entry_count_total"),
  };
}
