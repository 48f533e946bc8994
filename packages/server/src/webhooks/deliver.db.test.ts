import { type Receiver, startReceiver } from "@zoetrope/testkit/start-receiver.ts";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { openTestBed, type TestBed } from "../../test/harness/test-context.ts";
import { createTask } from "../generation/create-task.ts";
import { queryTask } from "../generation/query-task.ts";
import type { TaskId } from "../ids.ts";
import type { OpenContext } from "../open-context.ts";
import { finishTask } from "../tasks/finish-task.ts";
import { attemptDelivery } from "./attempt-delivery.ts";
import { takeDueDeliveries } from "./queries.ts";
import { showSecret } from "./rotate-secret.ts";
import { attemptsUsual } from "./schedule.ts";
import { createLaneWalk } from "./walk-lanes.ts";

let bed: TestBed;
beforeAll(async () => {
  bed = await openTestBed();
});
afterAll(() => bed[Symbol.asyncDispose]());

/** Takes what is due, as a worker does. */
async function take(ctx: OpenContext = bed.ctx) {
  const { due } = await createLaneWalk().next(ctx.db);
  const shares = due.map((lane) => ({ lane, rowsMax: 10 }));
  return takeDueDeliveries(ctx.db, shares, { attemptsUsual, leaseMs: 20_000 });
}

/** Returns a finished task whose callback is sent to that address. */
async function finished(url: string) {
  const account = await bed.openAccount();
  const body = { model: "sd2", inputs: { prompt: "a fox" }, callBackUrl: url };
  const { taskId } = await createTask(bed.ctx, account, body, null);
  await finishTask(bed.ctx, taskId, { kind: "failed", code: "vendor_failed" });
  return { account, taskId };
}

/** Makes every attempt that is due now. */
async function deliver(): Promise<number> {
  const due = await take();
  await Promise.all(due.map((delivery) => attemptDelivery(bed.ctx, delivery)));
  return due.length;
}

const dueNow = () => bed.database.sql("update open_deliveries set next_attempt_at = now()");

async function waitSeconds(taskId: TaskId): Promise<number | null> {
  const [row] = await bed.database.sql<{ s: string }>(
    `select extract(epoch from next_attempt_at - now()) as s from open_deliveries o
     join deliveries d on d.id = o.delivery_id where task_id = $1`,
    [taskId],
  );
  return row === undefined ? null : Number(row.s);
}

async function record(taskId: TaskId) {
  return bed.database.sql<{ number: number; status: number | null; reason: string | null }>(
    `select number, status, reason from attempts a join deliveries d on d.id = a.delivery_id
     where task_id = $1 order by number`,
    [taskId],
  );
}

test("a callback is signed so that the official library accepts it, and says what the query says", async () => {
  await using receiver = await startReceiver();
  const { account, taskId } = await finished(`${receiver.url}/hook?a=b`);
  expect(await deliver()).toBe(1);
  const [request] = receiver.received;
  const { secret } = await showSecret(bed.ctx, account);
  const verified = new Webhook(secret).verify(
    request?.body ?? "",
    request?.headers as Record<string, string>,
  );
  expect(verified).toEqual(await queryTask(bed.ctx, account, taskId));
  expect(request?.path).toBe("/hook?a=b");
  expect(await record(taskId)).toEqual([{ number: 1, status: 200, reason: null }]);
  await dueNow();
  expect(await deliver()).toBe(0);
});

test("a worker whose clock is an hour off sends the database's time and the true duration", async () => {
  await using receiver = await startReceiver();
  const { taskId } = await finished(receiver.url);
  const due = await take();
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() - 3_600_000 });
  try {
    await Promise.all(due.map((delivery) => attemptDelivery(bed.ctx, delivery)));
  } finally {
    vi.useRealTimers();
  }
  const [attempt] = await bed.database.sql<{ startedAt: Date; durationMs: number }>(
    `select a.started_at as "startedAt", duration_ms as "durationMs" from attempts a
     join deliveries d on d.id = a.delivery_id where task_id = $1`,
    [taskId],
  );
  const sentAt = Number(receiver.received[0]?.headers["webhook-timestamp"]);
  expect(sentAt).toBe(Math.floor((attempt?.startedAt.getTime() ?? 0) / 1000));
  expect(attempt?.durationMs).toBeGreaterThanOrEqual(0);
});

test("a failing receiver gets four attempts, 1, 5 and 30 seconds apart, with one and the same id", async () => {
  await using receiver = await startReceiver(() => 500);
  const { taskId } = await finished(receiver.url);
  for (const delay of [1, 5, 30]) {
    expect(await deliver()).toBe(1);
    const wait = await waitSeconds(taskId);
    expect(wait).toBeGreaterThan(delay - 1);
    expect(wait).toBeLessThanOrEqual(delay);
    expect(await deliver()).toBe(0); // not due before that
    await dueNow();
  }
  expect(await deliver()).toBe(1);
  expect(await waitSeconds(taskId)).toBeNull();
  await dueNow();
  expect(await deliver()).toBe(0);
  expect(new Set(receiver.received.map((request) => request.headers["webhook-id"])).size).toBe(1);
  const answered = { status: 500, reason: "answered 500" };
  expect(await record(taskId)).toEqual([1, 2, 3, 4].map((number) => ({ number, ...answered })));
  const [end] = await bed.database.sql(
    "select given_up_at, delivered_at from deliveries where task_id = $1",
    [taskId],
  );
  expect(end).toMatchObject({ given_up_at: expect.any(Date), delivered_at: null });
});

test("a redirect is a failure and is not followed", async () => {
  await using target = await startReceiver();
  await using receiver: Receiver = await startReceiver(() => 307);
  const { taskId } = await finished(receiver.url);
  await deliver();
  expect(await record(taskId)).toEqual([{ number: 1, status: 307, reason: "redirect refused" }]);
  expect(target.received).toEqual([]);
  await bed.database.sql("delete from open_deliveries");
});

test("a receiver that refuses the connection is recorded with a plain reason", async () => {
  const { taskId } = await finished("http://127.0.0.1:1024/");
  await deliver();
  expect(await record(taskId)).toEqual([{ number: 1, status: null, reason: "connection refused" }]);
  await bed.database.sql("delete from open_deliveries");
});

test("two workers never make the same attempt", async () => {
  await using receiver = await startReceiver();
  await Promise.all(Array.from({ length: 8 }, () => finished(receiver.url)));
  const another = bed.openAnother();
  const takes = await Promise.all(
    Array.from({ length: 6 }, (_, n) => take(n % 2 ? bed.ctx : another)),
  );
  const ids = takes.flat().map((delivery) => delivery.deliveryId);
  expect(ids).toHaveLength(8);
  expect(new Set(ids).size).toBe(8);
  await bed.database.sql("delete from open_deliveries");
});

test("workers that die in the middle cost attempts but never add one", async () => {
  await using receiver = await startReceiver();
  const { taskId } = await finished(receiver.url);
  for (let crash = 0; crash < 3; crash++) {
    expect(await take()).toHaveLength(1); // taken, then nothing: the worker died
    expect(await take()).toHaveLength(0); // the lease holds
    await dueNow(); // the lease is over
  }
  expect(await deliver()).toBe(1);
  expect(receiver.received).toHaveLength(1);
  expect(await record(taskId)).toHaveLength(4);
});

test("a delivery whose last attempt was never recorded is closed", async () => {
  const { taskId } = await finished("http://127.0.0.1:1024/");
  for (let crash = 0; crash < attemptsUsual; crash++) {
    await take();
    await dueNow();
  }
  expect(await take()).toHaveLength(0);
  const [row] = await bed.database.sql("select given_up_at from deliveries where task_id = $1", [
    taskId,
  ]);
  expect(row).toMatchObject({ given_up_at: expect.any(Date) });
  expect(await waitSeconds(taskId)).toBeNull();
});
