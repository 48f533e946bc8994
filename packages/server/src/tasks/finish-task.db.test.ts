import assert from "node:assert";
import { afterAll, beforeAll, expect, test } from "vitest";
import { checkMoney } from "../../test/harness/check-money.ts";
import { claimOf } from "../../test/harness/claim-of.ts";
import { endings } from "../../test/harness/endings.ts";
import { openTestBed, type TestBed } from "../../test/harness/test-context.ts";
import { readBalance } from "../credits/ledger.ts";
import { createTask } from "../generation/create-task.ts";
import { queryTask } from "../generation/query-task.ts";
import type { TaskId } from "../ids.ts";
import { finishTask, type Outcome } from "./finish-task.ts";
import { bindJob, claimSubmit } from "./submit-queries.ts";

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
const completed = endings.COMPLETED;

test("a failed task gives back exactly what it held", async () => {
  const account = await bed.openAccount({ credits: 100 });
  const { taskId } = await createTask(bed.ctx, account, body, null);
  expect(await readBalance(bed.ctx.db, account.id)).toEqual({ credits: 100, availableCredits: 70 });
  expect(await finishTask(bed.ctx, taskId, failed)).toBe(true);
  expect(await readBalance(bed.ctx.db, account.id)).toEqual({
    credits: 100,
    availableCredits: 100,
  });
  expect(await queryTask(bed.ctx, account, taskId)).toMatchObject({
    status: "FAILED",
    creditsUsed: 0,
    output: null,
    error: "The vendor failed to generate the output. Retrying may help.",
    errorCode: "vendor_failed",
    completeTime: expect.any(Number),
  });
});

test("a completed task is charged exactly what it held", async () => {
  const account = await bed.openAccount({ credits: 100 });
  const { taskId } = await createTask(bed.ctx, account, body, null);
  await finishTask(bed.ctx, taskId, completed);
  expect(await readBalance(bed.ctx.db, account.id)).toEqual({ credits: 70, availableCredits: 70 });
  expect(await queryTask(bed.ctx, account, taskId)).toMatchObject({
    status: "COMPLETED",
    creditsUsed: 30,
    output: [{ url: expect.stringContaining("/media/abab"), width: 1280, height: 720 }],
    error: null,
    errorCode: null,
  });
});

test("a completed task leaves what its outputs are found by, and a failed one nothing", async () => {
  const account = await bed.openAccount({ credits: 1_000 });
  const [video] = completed.kind === "completed" ? completed.output : [];
  assert(video !== undefined);
  const print = String(2n ** 63n - 25n); // no number of JavaScript
  const poster = { key: `${"cd".repeat(20)}.webp`, thumbhash: "", print };
  const withPrint = { ...video, sha256: "ab".repeat(32), durationMs: null, poster };
  const ends: Outcome[] = [{ kind: "completed", output: [video, withPrint] }, failed];
  const tasks: TaskId[] = [];
  for (const end of ends) {
    const { taskId } = await createTask(bed.ctx, account, body, null);
    await finishTask(bed.ctx, taskId, end);
    tasks.push(taskId);
  }
  const rows = await bed.database.sql(
    `select o.task_id, number, encode(sha256, 'hex') as sha256, print::text, o.kind, made_at = t.completed_at as "isTimed"
     from output_prints o join tasks t on t.id = o.task_id where o.task_id = any ($1) order by number`,
    [tasks],
  );
  const [task_id] = tasks;
  expect(rows).toEqual([
    { task_id, number: 0, sha256: "00".repeat(32), print: null, kind: "video", isTimed: true },
    { task_id, number: 1, sha256: "ab".repeat(32), print, kind: "image", isTimed: true },
  ]);
});

// The guards are the two conditions of finish_task (an open row, a status that is not terminal):
// without both every finish posts again and the ledger's unique index has to stop it with an error.
test("of forty finishes at once, from two processes and of both kinds, one wins", async () => {
  const account = await bed.openAccount({ credits: 100 });
  const another = bed.openAnother();
  const { taskId } = await createTask(bed.ctx, account, body, null);
  const wins = await Promise.all(
    Array.from({ length: 40 }, (_, n) =>
      finishTask(n % 2 ? bed.ctx : another, taskId, n % 4 < 2 ? failed : completed),
    ),
  );
  expect(wins.filter(Boolean)).toHaveLength(1);
  const settled = await bed.database.sql(
    "select kind from transfers where cause_id = $1 and kind in ('capture', 'release')",
    [taskId],
  );
  expect(settled).toHaveLength(1);
  const deliveries = await bed.database.sql("select id from deliveries where task_id = $1", [
    taskId,
  ]);
  expect(deliveries).toHaveLength(1);
});

test("what finished late changes nothing", async () => {
  const account = await bed.openAccount();
  const { taskId } = await createTask(bed.ctx, account, body, null);
  await finishTask(bed.ctx, taskId, failed);
  const before = await queryTask(bed.ctx, account, taskId);
  expect(await finishTask(bed.ctx, taskId, completed)).toBe(false);
  expect(await queryTask(bed.ctx, account, taskId)).toEqual(before);
});

// Code that changes both rows of a task locks open_tasks first. With finish the other way round this
// test saw PostgreSQL break deadlocks.
test("a finish and the vendor's first status at the same moment do not block each other", async () => {
  const account = await bed.openAccount({ openTasksMax: 100 });
  const taskIds = await Promise.all(
    Array.from({ length: 40 }, async () => {
      const { taskId } = await createTask(bed.ctx, account, body, null);
      await claimSubmit(bed.ctx.pool, claimOf(taskId));
      return taskId;
    }),
  );
  const another = bed.openAnother();
  const work = taskIds.flatMap((taskId) => [
    bindJob(another.pool, { taskId, jobId: `job of ${taskId}`, pollMs: 1_000 }),
    finishTask(bed.ctx, taskId, failed),
  ]);
  const broken = (await Promise.allSettled(work)).filter((result) => result.status === "rejected");
  expect(broken).toEqual([]);
});

// The guard is the unique index open_tasks_vendor_job.
test("one vendor job is never given to two tasks", async () => {
  const account = await bed.openAccount();
  const taskIds = await Promise.all(
    Array.from({ length: 2 }, async () => {
      const { taskId } = await createTask(bed.ctx, account, body, null);
      await claimSubmit(bed.ctx.pool, claimOf(taskId));
      return taskId;
    }),
  );
  const bound = await Promise.all(
    taskIds.map((taskId) => bindJob(bed.ctx.pool, { taskId, jobId: "one job", pollMs: 1_000 })),
  );
  expect(bound.sort()).toEqual([false, true]);
});

test("the callback's body is the query's answer, and without a callback URL there is none", async () => {
  const account = await bed.openAccount();
  const { taskId } = await createTask(bed.ctx, account, body, null);
  const { callBackUrl: _, ...quiet } = body;
  const silent = await createTask(bed.ctx, account, quiet, null);
  await finishTask(bed.ctx, taskId, completed);
  await finishTask(bed.ctx, silent.taskId, completed);
  const deliveries = await bed.database.sql<{ task_id: TaskId; body: string }>(
    "select task_id, body from deliveries where account_id = $1",
    [account.id],
  );
  expect(deliveries.map((delivery) => delivery.task_id)).toEqual([taskId]);
  const sent = JSON.parse(deliveries[0]?.body ?? "");
  expect(sent).toEqual(await queryTask(bed.ctx, account, taskId));
});
