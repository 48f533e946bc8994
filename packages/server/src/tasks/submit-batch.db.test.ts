import { Client } from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { claimOf } from "../../test/harness/claim-of.ts";
import { openTestBed, type TestBed } from "../../test/harness/test-context.ts";
import { createTask } from "../generation/create-task.ts";
import type { TaskId } from "../ids.ts";
import { findOpenTask } from "./open-task-queries.ts";
import { saveEnds } from "./queries.ts";
import { bindJob, claimSubmit } from "./submit-queries.ts";

let bed: TestBed;
let another: Client;
beforeAll(async () => {
  bed = await openTestBed();
  another = new Client({ connectionString: bed.database.ownerUrl });
  await another.connect();
});
afterAll(async () => {
  await another.end();
  await bed[Symbol.asyncDispose]();
});

const body = { model: "sd2", inputs: { prompt: "a fox" } };

async function openTasks(count: number): Promise<TaskId[]> {
  const account = await bed.openAccount({ openTasksMax: count });
  const creates = Array.from({ length: count }, () => createTask(bed.ctx, account, body, null));
  return (await Promise.all(creates)).map(({ taskId }) => taskId);
}

const claim = (taskId: TaskId) => claimSubmit(bed.ctx.pool, claimOf(taskId));
const bind = (taskId: TaskId) =>
  bindJob(bed.ctx.pool, { taskId, jobId: `job of ${taskId}`, pollMs: 1_000 });
const end = (taskId: TaskId, failureCode = "vendor_failed") =>
  saveEnds(bed.ctx.pool, [{ taskId, resultUrl: null, failureCode, detail: "it said so" }]);

/** Returns the number of transactions that wrote the newest version of these rows. */
async function countWrites(table: string, taskIds: TaskId[]): Promise<number> {
  const [row] = await bed.database.sql<{ count: string }>(
    `select count(distinct xmin::text) from ${table} where task_id = any ($1)`,
    [taskIds],
  );
  return Number(row?.count);
}

/** Runs work while another transaction holds the open row of the task. */
async function whileLocked(taskId: TaskId | undefined, work: () => Promise<void>): Promise<void> {
  await another.query("begin");
  await another.query("select from open_tasks where task_id = $1 for update", [taskId]);
  try {
    await work();
  } finally {
    await another.query("commit");
  }
}

test("claims, jobs and ends of the same moment share transactions, and each is recorded", async () => {
  const taskIds = await openTasks(24);
  const claimed = await Promise.all(taskIds.map(claim));
  expect(claimed.every((one) => one?.startedAt instanceof Date)).toBe(true);
  expect(await countWrites("submissions", taskIds)).toBeLessThan(taskIds.length);
  expect(await Promise.all(taskIds.map(bind))).toEqual(taskIds.map(() => true));
  expect(await countWrites("submissions", taskIds)).toBeLessThan(taskIds.length);
  await Promise.all(taskIds.map((taskId) => end(taskId)));
  expect(await countWrites("open_tasks", taskIds)).toBeLessThan(taskIds.length);
  for (const taskId of taskIds)
    expect(await findOpenTask(bed.ctx.db, taskId)).toMatchObject({
      taskId,
      vendorJobId: `job of ${taskId}`,
      failureCode: "vendor_failed",
    });
});

test("of many claims of one task in one batch, one wins", async () => {
  const [warm, taskId] = await openTasks(2);
  const claims = [warm, ...Array<TaskId | undefined>(8).fill(taskId)].flatMap((id) => id ?? []);
  const [, ...won] = await Promise.all(claims.map(claim));
  expect(won.filter((claimed) => claimed !== undefined)).toHaveLength(1);
});

// Each at fault in its own way: a row that is refused, a job of another task, text that cannot be stored.
test("a claim, a job or an end that cannot be recorded fails alone", async () => {
  const [bad, ...others] = await openTasks(16);
  if (bad === undefined) throw new Error("no task");
  const planted = `add constraint planted check (task_id <> '${bad}') not valid`;
  await another.query(`alter table submissions ${planted}`);
  const claims = await Promise.allSettled([...others, bad].map(claim));
  expect(claims.map(({ status }) => status)).toEqual([
    ...others.map(() => "fulfilled"),
    "rejected",
  ]);
  await another.query("alter table submissions drop constraint planted");
  await claim(bad);
  const [first] = others;
  const stolen = { taskId: bad, jobId: `job of ${first}`, pollMs: 1_000 };
  const bound = await Promise.all([...others.map(bind), bindJob(bed.ctx.pool, stolen)]);
  expect(bound).toEqual([...others.map(() => true), false]);
  await bind(bad);
  const ends = await Promise.allSettled([
    ...others.map((taskId) => end(taskId)),
    end(bad, "not\u0000storable"),
  ]);
  expect(ends.map(({ status }) => status)).toEqual([...others.map(() => "fulfilled"), "rejected"]);
});

// Without `skip locked` the others wait until the lock is free, which is after them.
test("a task whose row is locked delays nobody", async () => {
  const [locked, ...others] = await openTasks(12);
  if (locked === undefined) throw new Error("no task");
  for (const [step, result] of [
    [claim, expect.objectContaining({ startedAt: expect.any(Date) })],
    [bind, true],
    [(taskId: TaskId) => end(taskId), undefined],
  ] as const) {
    let late: Promise<unknown> = Promise.resolve();
    await whileLocked(locked, async () => {
      const warm = step(others[0] as TaskId);
      late = step(locked);
      const rest = others.slice(1).map((taskId) => step(taskId));
      expect(await Promise.all([warm, ...rest])).toEqual(others.map(() => result));
    });
    expect(await late).toEqual(result);
  }
});
