import { afterAll, beforeAll, expect, test } from "vitest";
import { checkMoney } from "../../test/harness/check-money.ts";
import { endings } from "../../test/harness/endings.ts";
import type { TestBed } from "../../test/harness/test-context.ts";
import { openUsageBed } from "../../test/harness/usage-bed.ts";
import { createKey } from "../accounts/create-key.ts";
import { createTask } from "../generation/create-task.ts";
import type { TaskId } from "../ids.ts";
import { rebuildUsage } from "../ledger-checks/rebuild-usage.ts";
import { verifyLedger } from "../ledger-checks/verify-ledger.ts";
import { finishTask } from "../tasks/finish-task.ts";
import { grantCredits, lowerHold, raiseHold } from "./ledger.ts";
import type { UsageItem } from "./usage-schema.ts";

let usage: Awaited<ReturnType<typeof openUsageBed>>;
let bed: TestBed;
beforeAll(async () => {
  usage = await openUsageBed();
  bed = usage.bed;
});
afterAll(() => usage[Symbol.asyncDispose]());

const hourMs = 60 * 60 * 1000;
const price = 30;

/** Moves the ends of these tasks to one hour of the day before yesterday, and deletes what was recorded. */
async function moveBack(accountId: string, taskIds: TaskId[]): Promise<void> {
  await bed.database.sql("set session_replication_role = replica");
  await bed.database.sql(
    `update transfers set created_at = date_trunc('day', now(), 'UTC') - interval '26 hours'
     where cause_id = any ($1::uuid[]) and kind in ('capture', 'release')`,
    [taskIds],
  );
  await bed.database.sql("set session_replication_role = origin");
  for (const table of ["usage_hours", "usage_days"])
    await bed.database.sql(`delete from ${table} where account_id = $1`, [accountId]);
}

/** Returns the sums by value over the intervals, since a test may run into the next hour. */
function sums(items: UsageItem[]) {
  const add = (of: UsageItem[], name: "completed" | "failed" | "credits" | "videoSeconds") =>
    of.reduce((sum, item) => sum + item[name], 0);
  return [...Map.groupBy(items, ({ value }) => value)].map(([value, of]) => ({
    value,
    completed: add(of, "completed"),
    failed: add(of, "failed"),
    credits: add(of, "credits"),
    videoSeconds: add(of, "videoSeconds"),
  }));
}

test("every end of a task is counted in its hour, by model, key and status, with what was charged", async () => {
  const account = await bed.openAccount({ openTasksMax: 10 });
  const { keyId } = await createKey(bed.ctx.db, { accountId: account.id, name: "second" });
  await usage.run(account, endings.COMPLETED);
  await usage.run(account, endings.COMPLETED);
  await usage.run(account, endings.FAILED);
  await usage.run({ ...account, keyId }, endings.FAILED, "image-pro-2");
  for (const by of ["hour", "day", "month"]) {
    expect(sums((await usage.usageOf(account.key, `by=${by}`)).items), by).toEqual([
      { value: null, completed: 2, failed: 2, credits: 2 * price, videoSeconds: 10 },
    ]);
    expect(sums((await usage.usageOf(account.key, `by=${by}&group=model`)).items), by).toEqual([
      { value: "image-pro-2", completed: 0, failed: 1, credits: 0, videoSeconds: 0 },
      { value: "sd2", completed: 2, failed: 1, credits: 2 * price, videoSeconds: 10 },
    ]);
    expect(sums((await usage.usageOf(account.key, `by=${by}&group=status`)).items), by).toEqual([
      { value: "COMPLETED", completed: 2, failed: 0, credits: 2 * price, videoSeconds: 10 },
      { value: "FAILED", completed: 0, failed: 2, credits: 0, videoSeconds: 0 },
    ]);
  }
  const { items } = await usage.usageOf(account.key, "by=hour&group=key");
  expect(new Map(items.map(({ value, name }) => [value, name]))).toEqual(
    new Map<string | null, string>([
      [account.keyId, "test"],
      [keyId, "second"],
    ]),
  );
});

test("grants are no usage, and a task that ends twice is counted once", async () => {
  const account = await bed.openAccount();
  await grantCredits(bed.ctx.pool, { accountId: account.id, credits: 50, note: "" });
  expect((await usage.usageOf(account.key, "by=hour")).items).toEqual([]);
  const taskId = await usage.run(account, endings.COMPLETED);
  expect(await finishTask(bed.ctx, taskId, endings.FAILED)).toBe(false);
  expect(sums((await usage.usageOf(account.key, "by=hour")).items)).toMatchObject([
    { completed: 1, failed: 0, credits: price },
  ]);
});

test("a hold that was raised or lowered counts as what was captured", async () => {
  for (const [change, credits] of [
    [raiseHold, 75],
    [lowerHold, 20],
  ] as const) {
    const account = await bed.openAccount();
    const body = { model: "sd2", inputs: { prompt: "a fox" } };
    const { taskId } = await createTask(bed.ctx, account, body, null);
    if (change === raiseHold) await raiseHold(bed.ctx.db, { taskId, credits, lines: [] });
    else await lowerHold(bed.ctx.pool, { taskId, credits, lines: [] });
    await finishTask(bed.ctx, taskId, endings.COMPLETED);
    expect(sums((await usage.usageOf(account.key, "by=hour")).items)).toMatchObject([{ credits }]);
  }
});

test("20 tasks of one account that end at once are all counted, and no finish fails", async () => {
  const account = await bed.openAccount({ openTasksMax: 20 });
  await Promise.all(Array.from({ length: 20 }, () => usage.run(account, endings.COMPLETED)));
  const { items } = await usage.usageOf(account.key, "by=month");
  expect(sums(items)).toMatchObject([{ completed: 20, credits: 20 * price }]);
  await checkMoney(bed.database);
});

test("accounts see their own usage alone", async () => {
  const [one, other] = [await bed.openAccount(), await bed.openAccount()];
  await usage.run(one, endings.COMPLETED);
  expect((await usage.usageOf(one.key, "by=hour")).items).toHaveLength(1);
  expect((await usage.usageOf(other.key, "by=hour")).items).toEqual([]);
});

test("tasks that ended before usage was recorded are counted by a rebuild, which may be repeated and changes nothing that is right", async () => {
  const account = await bed.openAccount({ openTasksMax: 10 });
  const tasks = [];
  for (const ending of [endings.COMPLETED, endings.FAILED, endings.COMPLETED])
    tasks.push(await usage.run(account, ending));
  await moveBack(account.id, tasks);
  await usage.run(account, endings.COMPLETED); // recorded as it ended
  const { breaches } = await verifyLedger(bed.ctx.pool);
  expect(breaches).toMatchObject([{ invariant: expect.stringMatching(/^I6/) }]);
  expect((await rebuildUsage(bed.ctx.db)).intervals).toBe(2); // an hour and a day
  await checkMoney(bed.database);
  expect((await rebuildUsage(bed.ctx.db)).intervals).toBe(0);
  const from = new Date(Date.now() - 60 * hourMs).toISOString();
  const [old, ...later] = (await usage.usageOf(account.key, `by=hour&from=${from}`)).items;
  const recorded = { completed: 2, failed: 1, credits: 2 * price, videoSeconds: 10 };
  expect(old).toMatchObject(recorded);
  const dayMs = 24 * hourMs;
  expect(((old?.start ?? 0) + 26 * hourMs) % dayMs).toBe(0); // the hour, not its day
  expect(sums(later)).toMatchObject([{ completed: 1, failed: 0, credits: price }]);
});

test("a rebuild puts a wrong sum right", async () => {
  const account = await bed.openAccount();
  await usage.run(account, endings.COMPLETED);
  for (const table of ["usage_hours", "usage_days"]) {
    await bed.database.sql(`update ${table} set credits = 1, tasks = 7 where account_id = $1`, [
      account.id,
    ]);
    expect((await rebuildUsage(bed.ctx.db)).intervals).toBe(1);
    await checkMoney(bed.database);
  }
});

test("a rebuild while tasks end neither loses nor repeats one", async () => {
  const account = await bed.openAccount({ credits: 100_000, openTasksMax: 20 });
  const old = await Promise.all(
    Array.from({ length: 10 }, () => usage.run(account, endings.COMPLETED)),
  );
  await moveBack(account.id, old);
  const ending = Promise.all(Array.from({ length: 10 }, () => usage.run(account, endings.FAILED)));
  for (let again = 0; again < 5; again++) await rebuildUsage(bed.ctx.db);
  await ending;
  await rebuildUsage(bed.ctx.db);
  await checkMoney(bed.database);
});

test("a wrong count, a wrong sum and a missing interval are found by `ledger verify`", async () => {
  const account = await bed.openAccount();
  await usage.run(account, endings.COMPLETED);
  for (const [change, undo] of [
    ["credits = credits + 1", "credits = credits - 1"],
    ["tasks = tasks + 1", "tasks = tasks - 1"],
    ["status = 'FAILED'", "status = 'COMPLETED'"],
  ])
    for (const table of ["usage_hours", "usage_days"]) {
      const update = (set: string | undefined) =>
        bed.database.sql(`update ${table} set ${set} where account_id = $1`, [account.id]);
      await update(change);
      const { breaches } = await verifyLedger(bed.ctx.pool);
      expect(breaches, change).toMatchObject([{ rows: [{ account_id: account.id }] }]);
      await update(undo);
    }
  await checkMoney(bed.database);
});
