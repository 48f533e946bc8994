import { type Receiver, startReceiver } from "@zoetrope/testkit/start-receiver.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { checkMoney } from "../../test/harness/check-money.ts";
import { openTestBed, type TestBed } from "../../test/harness/test-context.ts";
import { wokenTasks } from "../../test/harness/woken-tasks.ts";
import { readBalance } from "../credits/ledger.ts";
import { createTask } from "../generation/create-task.ts";
import { queryTask } from "../generation/query-task.ts";
import { purgeAnswers } from "./idempotency.ts";
import { expireTasks, wakeUnsubmitted } from "./sweep.ts";

let engine: Receiver; // stands where the engine's ingress would: what matters is what reaches it
let bed: TestBed;
beforeAll(async () => {
  engine = await startReceiver(() => 202);
  bed = await openTestBed({ RESTATE_INGRESS_URL: engine.url });
});
afterAll(async () => {
  await checkMoney(bed.database);
  await bed[Symbol.asyncDispose]();
  await engine[Symbol.asyncDispose]();
});

const body = { model: "sd2", inputs: { prompt: "a fox" } };

test("a task past its deadline fails and gives its hold back, also when two sweeps run at once", async () => {
  const account = await bed.openAccount({ credits: 100 });
  const { taskId } = await createTask(bed.ctx, account, body, null);
  expect(await expireTasks(bed.ctx)).toBe(0);
  await bed.database.sql("update open_tasks set deadline_at = now() where task_id = $1", [taskId]);
  const another = bed.openAnother();
  const sweeps = await Promise.all([bed.ctx, another, bed.ctx].map((ctx) => expireTasks(ctx)));
  expect(sweeps.reduce((sum, expired) => sum + expired, 0)).toBe(1);
  expect(await queryTask(bed.ctx, account, taskId)).toMatchObject({
    status: "FAILED",
    errorCode: "task_expired",
    creditsUsed: 0,
  });
  expect(await readBalance(bed.ctx.db, account.id)).toEqual({
    credits: 100,
    availableCredits: 100,
  });
});

test("a task that the engine never acknowledged is sent again, by one of two sweeps, with backoff", async () => {
  const account = await bed.openAccount();
  const { taskId } = await createTask(bed.ctx, account, body, null);
  const sent = () => wokenTasks(engine, "submit").filter((woken) => woken === taskId).length;
  await engine.arrived(engine.received.length + (sent() === 0 ? 1 : 0));
  expect(sent()).toBe(1); // createTask's own
  expect(await wakeUnsubmitted(bed.ctx)).toBe(0); // not due yet
  const dueNow = "update open_tasks set next_step_at = now() where task_id = $1";
  const delay = `select extract(epoch from next_step_at - now()) as s from open_tasks where task_id = $1`;
  const delays: number[] = [];
  for (let round = 0; round < 3; round++) {
    await bed.database.sql(dueNow, [taskId]);
    const arrivals = engine.received.length;
    const sweeps = await Promise.all([
      wakeUnsubmitted(bed.ctx),
      wakeUnsubmitted(bed.openAnother()),
    ]);
    expect(sweeps.reduce((sum, woken) => sum + woken, 0)).toBe(1);
    await engine.arrived(arrivals + 1);
    const [row] = await bed.database.sql<{ s: string }>(delay, [taskId]);
    delays.push(Number(row?.s));
  }
  expect(sent()).toBe(4);
  expect(delays[2]).toBeGreaterThan(delays[0] ?? Number.POSITIVE_INFINITY);
});

test("a task that was submitted is not submitted again", async () => {
  const account = await bed.openAccount();
  const { taskId } = await createTask(bed.ctx, account, body, null);
  await bed.database.sql(
    "update open_tasks set submit_started_at = now(), next_step_at = now() where task_id = $1",
    [taskId],
  );
  expect(await wakeUnsubmitted(bed.ctx)).toBe(0);
});

test("idempotency keys are forgotten after seven days and not before", async () => {
  const account = await bed.openAccount();
  for (const key of ["old", "young"]) await createTask(bed.ctx, account, body, key);
  const age = "update idempotency_keys set created_at = now() - $2::interval where key = $1";
  await bed.database.sql(age, ["old", "7 days 1 minute"]);
  await bed.database.sql(age, ["young", "6 days 23 hours"]);
  await purgeAnswers(bed.ctx.db, 100);
  const left = await bed.database.sql("select key from idempotency_keys where account_id = $1", [
    account.id,
  ]);
  expect(left).toEqual([{ key: "young" }]);
});
