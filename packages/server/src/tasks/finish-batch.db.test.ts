import { Client } from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { checkMoney } from "../../test/harness/check-money.ts";
import { outwait } from "../../test/harness/outwait.ts";
import { openTestBed, type TestBed } from "../../test/harness/test-context.ts";
import { createTask } from "../generation/create-task.ts";
import type { AccountId, TaskId } from "../ids.ts";
import { finishTask, type Outcome } from "./finish-task.ts";

let bed: TestBed;
beforeAll(async () => {
  bed = await openTestBed();
});
afterAll(async () => {
  await checkMoney(bed.database);
  await bed[Symbol.asyncDispose]();
});

const body = { model: "sd2", inputs: { prompt: "a fox" }, callBackUrl: "http://127.0.0.1:9/hook" };
const failed: Outcome = { kind: "failed", code: "vendor_failed" };

/** Opens a task in a new account. */
async function openTask(): Promise<{ accountId: AccountId; taskId: TaskId }> {
  const account = await bed.openAccount();
  return { accountId: account.id, taskId: (await createTask(bed.ctx, account, body, null)).taskId };
}

const openTasks = (count: number) => Promise.all(Array.from({ length: count }, openTask));
const finish = ({ taskId }: { taskId: TaskId }) => finishTask(bed.ctx, taskId, failed);

test("tasks that end at the same moment share a transaction", async () => {
  const tasks = await openTasks(24);
  expect(await Promise.all(tasks.map(finish))).toEqual(tasks.map(() => true));
  const [row] = await bed.database.sql<{ count: string }>(
    "select count(distinct xmin::text) from transfers where kind = 'release' and cause_id = any ($1)",
    [tasks.map(({ taskId }) => taskId)],
  );
  expect(Number(row?.count)).toBeLessThan(tasks.length);
});

test("a task that ends twice at the same moment ends once", async () => {
  const tasks = await openTasks(6);
  const ends = await Promise.all([...tasks, ...tasks].map(finish));
  expect(ends.filter((isEnded) => isEnded)).toHaveLength(tasks.length);
});

// Without halving, everybody who ends at the same moment gets the error of the one row.
test("a task that cannot be ended fails alone", async () => {
  const [bad, ...others] = await openTasks(16);
  const change = (by: number) =>
    bed.database.sql("update accounts set held = held + $2 where id = $1", [bad?.accountId, by]);
  await change(-1); // its release would make it negative
  const ends = await Promise.allSettled([...others, ...(bad ? [bad] : [])].map(finish));
  expect(ends.map(({ status }) => status)).toEqual([...others.map(() => "fulfilled"), "rejected"]);
  await change(1);
  expect(bad && (await finish(bad))).toBe(true);
});

// Without `skip locked`, the others wait until the lock is free, which is after them.
test("a task whose account is locked delays nobody", async () => {
  const [locked, ...others] = await openTasks(16);
  const client = new Client({ connectionString: bed.database.ownerUrl });
  await client.connect();
  try {
    await client.query("begin");
    await client.query("select from accounts where id = $1 for update", [locked?.accountId]);
    const late = locked && outwait(() => finish(locked));
    expect(await Promise.all(others.map(finish))).toEqual(others.map(() => true));
    const more = await openTasks(2);
    expect(await Promise.all(more.map(finish))).toEqual([true, true]);
    await client.query("commit");
    expect(await late).toBe(true);
  } finally {
    await client.end();
  }
});
