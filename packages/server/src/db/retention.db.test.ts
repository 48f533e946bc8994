import { afterAll, beforeAll, expect, test } from "vitest";
import { checkMoney } from "../../test/harness/check-money.ts";
import { openTestBed, type TestBed } from "../../test/harness/test-context.ts";
import type { Caller } from "../accounts/queries.ts";
import { buildApi } from "../api/build-api.ts";
import { createTask } from "../generation/create-task.ts";
import type { DeliveryId, TaskId } from "../ids.ts";
import { verifyLedger } from "../ledger-checks/verify-ledger.ts";
import { finishTask } from "../tasks/finish-task.ts";
import { findTask } from "../tasks/queries.ts";
import { ensurePartitions, historyTables } from "./partitions.ts";
import { dropOldPartitions, purgePrompts } from "./retention.ts";

const dayMs = 24 * 60 * 60_000;
const ageDays = 200;
const body = {
  model: "sd2" as const,
  inputs: { prompt: "a secret heron" },
  callBackUrl: "http://127.0.0.1:9/back",
};

const keyed = {
  tasks: ["id"],
  open_tasks: ["task_id"],
  transfers: ["cause_id"],
  entries: ["cause_id"],
  lot_uses: ["cause_id"],
  submissions: ["task_id"],
  events: ["id", "task_id"],
  deliveries: ["id", "task_id"],
  open_deliveries: ["delivery_id"],
  attempts: ["delivery_id"],
};

let bed: TestBed;
let api: Awaited<ReturnType<typeof buildApi>>;
let account: Caller & { key: string };
beforeAll(async () => {
  bed = await openTestBed();
  api = await buildApi(bed.ctx);
  account = await bed.openAccount({ openTasksMax: 100, limits: { creditsMax: 5_000 } });
});
afterAll(async () => {
  await api.close();
  await bed[Symbol.asyncDispose]();
});

/** An id as if it had been made so long ago. */
async function age<Id extends TaskId | DeliveryId>(id: Id): Promise<Id> {
  const [row] = await bed.database.sql<{ aged: Id }>(
    `select (lpad(to_hex((extract(epoch from id_time($1)) * 1000)::bigint - ${ageDays * dayMs}), 12, '0')
             || substr(replace($1::text, '-', ''), 13))::uuid as aged`,
    [id],
  );
  if (row === undefined) throw new Error("no id");
  return row.aged;
}

/** All that there is of a task, as if it had been made so long ago. */
async function makeOld(taskId: TaskId): Promise<TaskId> {
  const { sql } = bed.database;
  const rows = await sql<{ id: DeliveryId }>("select id from deliveries where task_id = $1", [
    taskId,
  ]);
  const ledger = ["transfers", "entries", "lot_uses"];
  for (const table of ledger) await sql(`alter table ${table} disable trigger user`);
  for (const id of [taskId, ...rows.map((row) => row.id)]) {
    const aged = await age(id);
    for (const [table, columns] of Object.entries(keyed))
      for (const column of columns)
        await sql(`update ${table} set ${column} = $2 where ${column} = $1`, [id, aged]);
  }
  for (const table of ledger) await sql(`alter table ${table} enable trigger user`);
  await ensurePartitions(bed.ctx.db);
  return age(taskId);
}

async function createOld(options: { isOpen?: boolean; isDelivered?: boolean } = {}) {
  const { taskId } = await createTask(bed.ctx, account, body, null);
  await bed.database.sql(
    "insert into submissions (task_id, started_at, vendor_account) values ($1, now(), 'ark')",
    [taskId],
  );
  await bed.database.sql("update tasks set request = request || $2, inputs = $3 where id = $1", [
    taskId,
    { images: [{ url: "https://example.com/secret.png" }] },
    JSON.stringify([{ param: "inputs.urls[0]", key: "secret" }]),
  ]);
  if (!options.isOpen) await finishTask(bed.ctx, taskId, { kind: "failed", code: "task_broken" });
  await bed.database.sql(
    "insert into attempts (delivery_id, number, started_at) select id, 1, now() from deliveries where task_id = $1",
    [taskId],
  );
  if (options.isDelivered !== false) await bed.database.sql("delete from open_deliveries");
  return makeOld(taskId);
}

const read = (taskId: TaskId) =>
  api.inject({
    url: `/api/v1/jobs/queryTask?taskId=${taskId}`,
    headers: { authorization: `Bearer ${account.key}` },
  });

async function countOf(taskId: TaskId) {
  const deliveries = "select id from deliveries where task_id = $1";
  const [row] = await bed.database.sql(
    `select (select count(*) from tasks where id = $1)::integer as tasks,
            (select count(*) from transfers where cause_id = $1)::integer as transfers,
            (select count(*) from submissions where task_id = $1)::integer as submissions,
            (select count(*) from events where task_id = $1)::integer as events,
            (${deliveries})::text is not null as "isDelivered",
            (select count(*) from attempts where delivery_id in (${deliveries}))::integer as attempts`,
    [taskId],
  );
  return row;
}

test("prompts, URLs and bodies of old tasks are blanked, once, and the tasks can still be read; the ledger stays proven", async () => {
  const [old, other] = [await createOld(), await createOld()];
  const open = await createOld({ isOpen: true });
  const { taskId: recent } = await createTask(bed.ctx, account, body, null);
  const before = (await read(old)).json();
  const rows = await purgePrompts(bed.ctx.db, 90);
  expect(rows).toBe(3 + 2 + 2); // tasks, deliveries, events
  expect(await purgePrompts(bed.ctx.db, 90)).toBe(0);
  for (const taskId of [old, other]) {
    const task = await findTask(bed.ctx.db, taskId);
    expect(task?.request).toMatchObject({ model: "sd2", prompt: "", images: [], videos: [] });
  }
  const texts = await bed.database.sql<{ text: string }>(
    `select t::text as text from tasks t where id <> all ($1) union all select t::text from events t
     union all select body from deliveries`,
    [[open, recent]],
  );
  expect(texts.filter(({ text }) => text.includes("secret"))).toEqual([]);
  const bodies = await bed.database.sql("select body from deliveries where task_id = $1", [old]);
  expect(bodies).toEqual([{ body: JSON.stringify({ taskId: old }).replace(":", ": ") }]);
  const answer = await read(old);
  expect([answer.statusCode, answer.json()]).toEqual([200, before]);
  for (const taskId of [open, recent])
    expect((await findTask(bed.ctx.db, taskId))?.request).toMatchObject({
      prompt: "a secret heron",
    });
  await checkMoney(bed.database);

  await finishTask(bed.ctx, open, { kind: "failed", code: "task_broken" });
  await purgePrompts(bed.ctx.db, 90);
  expect((await findTask(bed.ctx.db, open))?.request).toMatchObject({ prompt: "" });
});

test("partitions older than their table's days are dropped, the rest stays, and the ledger is proven without the tasks", async () => {
  const old = await createOld();
  const { taskId: recent } = await createTask(bed.ctx, account, body, null);
  const all = { tasks: 1, transfers: 2, submissions: 1, events: 1, isDelivered: true, attempts: 1 };
  expect(await countOf(old)).toEqual(all);
  expect(await dropOldPartitions(bed.ctx.pool, { events: 90, submissions: 300 })).toEqual([
    expect.stringMatching(/^dropped_events_20/),
  ]);
  expect(await countOf(old)).toEqual({ ...all, events: 0 });
  const keptDays = { tasks: 90, submissions: 90, attempts: 90, deliveries: 90 };
  const dropped = await dropOldPartitions(bed.ctx.pool, keptDays);
  expect(dropped.sort().map((name) => name.replace(/_20.*/, ""))).toEqual([
    "dropped_attempts",
    "dropped_deliveries",
    "dropped_submissions",
    "dropped_tasks",
  ]);
  const nothing = { tasks: 0, submissions: 0, events: 0, isDelivered: false, attempts: 0 };
  expect(await countOf(old)).toEqual({ ...nothing, transfers: 2 });
  expect(await findTask(bed.ctx.db, recent)).toMatchObject({ status: "PENDING" });
  expect((await read(old)).statusCode).toBe(404);
  await checkMoney(bed.database);
  const [used] = await bed.database.sql("select count(*)::integer from dropped_key_credits");
  expect(used).toEqual({ count: 0 }); // failed tasks use nothing of a budget
});

test("what completed tasks used of a key's budget is still known when they are dropped", async () => {
  const { taskId } = await createTask(bed.ctx, account, body, null);
  await bed.database.sql("delete from open_deliveries");
  const media = {
    key: "k",
    contentType: "video/mp4",
    sizeBytes: 1,
    sha256: "00".repeat(32),
    width: 1,
    height: 1,
  };
  const output = [{ ...media, durationMs: 1_000 }];
  await finishTask(bed.ctx, taskId, { kind: "completed", output });
  await bed.database.sql("delete from open_deliveries");
  await makeOld(taskId);
  expect(await dropOldPartitions(bed.ctx.pool, { tasks: 90 })).toHaveLength(1);
  await checkMoney(bed.database);
  await bed.database.sql("update dropped_key_credits set credits = credits + 1");
  const { breaches } = await verifyLedger(bed.ctx.pool);
  expect(breaches).toMatchObject([{ invariant: expect.stringContaining("budget") }]);
  await bed.database.sql("update dropped_key_credits set credits = credits - 1");
});

test("a partition with a task or a delivery that is still open is kept until it is not", async () => {
  const open = await createOld({ isOpen: true });
  const undelivered = await createOld({ isDelivered: false });
  const keptDays = { tasks: 90, submissions: 90, attempts: 90, deliveries: 90 };
  expect(await dropOldPartitions(bed.ctx.pool, keptDays)).toEqual([]);
  expect(await countOf(undelivered)).toMatchObject({ tasks: 1, isDelivered: true });
  await bed.database.sql("delete from open_deliveries");
  await finishTask(bed.ctx, open, { kind: "failed", code: "task_broken" });
  expect(await dropOldPartitions(bed.ctx.pool, keptDays)).toHaveLength(4);
  await checkMoney(bed.database);
});

test("the ledger cannot be dropped", async () => {
  const drop = bed.ctx.pool.query("select detach_partition('transfers', now())");
  await expect(drop).rejects.toThrow("transfers is kept for ever");
});

test("partitions are dropped under load without a deadlock, and no create or finish fails", async () => {
  for (const table of historyTables)
    for (let months = 10; months < 16; months++)
      await bed.database.sql(
        `select create_partition('${table}', now() - interval '${months} months', 1)`,
      );
  const accounts = await Promise.all(
    Array.from({ length: 4 }, () => bed.openAccount({ credits: 100_000, openTasksMax: 100 })),
  );
  let isOver = false;
  const work = async (caller: Caller) => {
    let finished = 0;
    while (!isOver) {
      const { taskId } = await createTask(bed.ctx, caller, body, null);
      await finishTask(bed.ctx, taskId, { kind: "failed", code: "task_broken" });
      finished += 1;
    }
    return finished;
  };
  const keptDays = { tasks: 90, submissions: 90, attempts: 90, deliveries: 90, events: 90 };
  const load = [...accounts, ...accounts, ...accounts].map(work);
  const dropping = dropOldPartitions(bed.ctx.pool, keptDays).finally(() => {
    isOver = true;
  });
  const [dropped, ...finished] = await Promise.all([dropping, ...load]);
  expect(dropped.length).toBeGreaterThanOrEqual(5 * 6);
  expect(Math.min(...finished)).toBeGreaterThan(0);
  const [deadlocks] = await bed.database.sql(
    "select deadlocks::integer from pg_stat_database where datname = current_database()",
  );
  expect(deadlocks).toEqual({ deadlocks: 0 });
  await checkMoney(bed.database);
});
