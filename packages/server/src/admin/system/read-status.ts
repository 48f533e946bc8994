import { sql } from "kysely";
import type { Context } from "../../context.ts";
import type { Db } from "../../db/database.ts";
import { listProcesses } from "../../db/processes.ts";
import { countParked } from "../../db/stuck-rows.ts";
import { withinMs } from "../../flow/within-ms.ts";
import { taskAges } from "../../metrics/metric-table.ts";
import { readVersion } from "../../settings/version.ts";
import { countOpenByAge, readLateTasks } from "../../tasks/measure-tasks.ts";
import { countLostDeliveries, countOpenDeliveries } from "../../webhooks/measure-deliveries.ts";

const checkMsMax = 1_500;

/** Returns the running parts with their versions, and whether this process reaches the services it needs. */
export async function readStatus({ db, waker, storage }: Context) {
  const [engine, files] = await Promise.all([
    works(() => waker.check(checkMsMax)),
    works(() => storage.check()),
  ]);
  const { rows: migrations } = await sql<{ name: string; appliedAt: Date }>`
    select name, applied_at as "appliedAt" from migrations order by name desc limit 1`.execute(db);
  const [newest] = migrations;
  return {
    version: readVersion(),
    parts: { database: true, engine, storage: files },
    newestMigration:
      newest === undefined ? null : { name: newest.name, appliedAt: newest.appliedAt.getTime() },
    queues: await readQueues(db),
    processes: (await listProcesses(db)).map(({ id, startedAt, seenAt, ...process }) => ({
      ...process,
      processId: id,
      startedAt: startedAt.getTime(),
      seenAt: seenAt.getTime(),
    })),
  };
}

async function works(check: () => Promise<void>): Promise<boolean> {
  return withinMs(checkMsMax, check()).then(
    () => true,
    () => false,
  );
}

/** One after the other: a page takes one connection. */
async function readQueues(db: Db) {
  const byAge = await countOpenByAge(db);
  const { oldestSeconds, overdue } = await readLateTasks(db);
  const deliveries = await countOpenDeliveries(db);
  const lost = await countLostDeliveries(db);
  return {
    openTasks: taskAges.map((age) => ({ age, count: byAge.get(age) ?? 0 })),
    oldestTaskSeconds: Math.round(oldestSeconds),
    overdueTasks: overdue,
    openDeliveries: deliveries.open,
    failingDeliveryAccounts: deliveries.failingAccounts,
    failingEndpoints: lost.failingEndpoints,
    deliveriesGivenUp: lost.givenUp,
    parkedRows: await countParked(db),
  };
}
