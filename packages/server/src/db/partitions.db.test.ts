import { expect, test } from "vitest";
import { checkMoney } from "../../test/harness/check-money.ts";
import { openTestBed, type TestBed } from "../../test/harness/test-context.ts";
import { createTask } from "../generation/create-task.ts";
import { newId } from "../ids.ts";
import { finishTask } from "../tasks/finish-task.ts";
import { findTask } from "../tasks/queries.ts";
import { ensurePartitions, historyTables } from "./partitions.ts";

const body = { model: "sd2" as const, inputs: { prompt: "a" } };
const month = () => new Date().toISOString().slice(0, 7).replace("-", "_");

/** Moves all rows to the default partitions and drops those from this month on, as after months of downtime. */
async function dropPartitions(bed: TestBed): Promise<void> {
  for (const parent of historyTables) {
    const partitions = await bed.database.sql<{ child: string }>(
      `select c.relname as child from pg_inherits i join pg_class c on c.oid = i.inhrelid
       where i.inhparent = '${parent}'::regclass and c.relname <> '${parent}_default'`,
    );
    for (const { child } of partitions) {
      await bed.database.sql(`alter table ${parent} detach partition ${child}`);
      await bed.database.sql(`insert into ${parent} select * from ${child}`);
      await bed.database.sql(`drop table ${child}`);
    }
  }
}

const rowsInDefaults = async (bed: TestBed) => {
  const counts = historyTables.map((table) => `(select count(*) from ${table}_default)`);
  const [row] = await bed.database.sql<{ rows: number }>(
    `select (${counts.join(" + ")})::integer as rows`,
  );
  return row?.rows;
};

test("rows of a month without a partition are moved into one, the ledger's too, and stay readable", async () => {
  await using bed = await openTestBed();
  await dropPartitions(bed);
  const account = await bed.openAccount();
  const { taskId } = await createTask(bed.ctx, account, body, null);
  const { taskId: openId } = await createTask(bed.ctx, account, body, null);
  await finishTask(bed.ctx, taskId, { kind: "failed", code: "task_broken" });
  expect(await rowsInDefaults(bed)).toBeGreaterThan(8);
  await ensurePartitions(bed.ctx.db);
  expect(await rowsInDefaults(bed)).toBe(0);
  const partitions = await bed.database.sql(
    "select distinct tableoid::regclass::text as name from tasks",
  );
  expect(partitions).toEqual([{ name: `tasks_${month()}` }]);
  expect(await findTask(bed.ctx.db, taskId)).toMatchObject({ status: "FAILED" });
  expect(await finishTask(bed.ctx, openId, { kind: "failed", code: "task_broken" })).toBe(true);
  await checkMoney(bed.database);
  const rewrite = bed.database.sql(`update transfers set amount = 1`);
  await expect(rewrite).rejects.toThrow("are never changed");
});

test("a month of which the default partition has many rows is moved in steps, each of them whole", async () => {
  await using bed = await openTestBed();
  await dropPartitions(bed);
  const account = await bed.openAccount({ openTasksMax: 100, credits: 10_000 });
  for (let n = 0; n < 25; n++) await createTask(bed.ctx, account, body, null);
  const step = async () => {
    const [row] = await bed.database.sql<{ done: boolean }>(
      "select create_partition('tasks', now(), 10) as done",
    );
    const [{ count } = {}] = await bed.database.sql("select count(*)::integer as count from tasks");
    expect(count).toBe(25);
    return row?.done;
  };
  expect([await step(), await step(), await step(), await step()]).toEqual([
    false,
    false,
    true,
    true, // there is nothing left to do
  ]);
  const counts = await bed.database.sql(
    "select count(*)::integer as count from tasks group by tableoid order by min(id::text)",
  );
  expect(counts.reduce((sum, { count }) => sum + Number(count), 0)).toBe(25);
  expect(Math.max(...counts.map(({ count }) => Number(count)))).toBeLessThanOrEqual(11);
  await ensurePartitions(bed.ctx.db);
});

test("a row from a host whose clock is far ahead gets the partition of its month, and the others get theirs", async () => {
  await using bed = await openTestBed();
  const { id } = await bed.openAccount();
  const ahead = newId(0, Date.UTC(2031, 6, 15));
  await bed.database.sql(
    "insert into deliveries (id, account_id, url, body) values ($1, $2, 'https://example.com', '')",
    [ahead, id],
  );
  await ensurePartitions(bed.ctx.db);
  expect(await rowsInDefaults(bed)).toBe(0);
  const [row] = await bed.database.sql(
    "select tableoid::regclass::text as name from deliveries where id = $1",
    [ahead],
  );
  expect(row).toEqual({ name: "deliveries_2031_07" });
});

test("a table whose partitions cannot be made stops no other, and is named", async () => {
  await using bed = await openTestBed();
  const ahead = new Date();
  ahead.setUTCMonth(ahead.getUTCMonth() + 2, 1);
  const last = ahead.toISOString().slice(0, 7).replace("-", "_");
  for (const table of ["tasks", "events"]) await bed.database.sql(`drop table ${table}_${last}`);
  await bed.database.sql(`create table tasks_${last} (in_the_way text)`);
  await expect(ensurePartitions(bed.ctx.db)).rejects.toThrow(/tasks 20\d\d-\d\d: .*already exists/);
  const [row] = await bed.database.sql("select to_regclass($1) is not null as made", [
    `events_${last}`,
  ]);
  expect(row).toEqual({ made: true });
});

test.each([
  ["of months to come", 10, async () => {}],
  ["of the month at hand, while its rows still go into the default ones", 2, dropPartitions],
])(
  "partitions %s are made under load without a deadlock, and no create or finish fails",
  async (_name, monthsAhead, prepare) => {
    await using bed = await openTestBed();
    await prepare(bed);
    const accounts = await Promise.all(
      Array.from({ length: 4 }, () => bed.openAccount({ credits: 1_000_000, openTasksMax: 1_000 })),
    );
    let isOver = false;
    const work = async (account: (typeof accounts)[number]) => {
      let finished = 0;
      while (!isOver) {
        const { taskId } = await createTask(bed.ctx, account, body, null);
        await finishTask(bed.ctx, taskId, { kind: "failed", code: "task_broken" });
        finished += 1;
      }
      return finished;
    };
    const load = [...accounts, ...accounts, ...accounts].map(work);
    const making = ensurePartitions(bed.ctx.db, { monthsAhead }).finally(() => {
      isOver = true;
    });
    const [, ...finished] = await Promise.all([making, ...load]);
    expect(Math.min(...finished)).toBeGreaterThan(0);
    expect(await rowsInDefaults(bed)).toBe(0);
    const [deadlocks] = await bed.database.sql(
      "select deadlocks::integer from pg_stat_database where datname = current_database()",
    );
    expect(deadlocks).toEqual({ deadlocks: 0 });
    await checkMoney(bed.database);
  },
  180_000,
);
