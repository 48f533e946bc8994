import { startReceiver } from "@zoetrope/testkit/start-receiver.ts";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, expect, test } from "vitest";
import { byCommand } from "../../test/harness/judge.ts";
import { openTestBed, type TestBed } from "../../test/harness/test-context.ts";
import type { Caller } from "../accounts/queries.ts";
import { createTask } from "../generation/create-task.ts";
import { queryTask } from "../generation/query-task.ts";
import { type DeliveryId, newId, shardOf, type TaskId } from "../ids.ts";
import { finishTask } from "../tasks/finish-task.ts";
import { deliverAgain } from "./deliver-again.ts";
import { deliverDue } from "./deliver-due.ts";
import { insertTestDelivery } from "./delivery-queries.ts";
import { purgeEvents } from "./event-queries.ts";
import { readDeliveries, readDelivery } from "./read-deliveries.ts";
import { readEvents } from "./read-events.ts";
import { rotateSecret, showSecret } from "./rotate-secret.ts";
import { sendTest } from "./send-test.ts";

let bed: TestBed;
beforeAll(async () => {
  bed = await openTestBed({ DELIVERY_SPEED: "20", DELIVERY_INTERVAL_MS: "20" });
});
afterAll(() => bed[Symbol.asyncDispose]());

async function finished(account: Caller, callBackUrl?: string): Promise<string> {
  const body = { model: "sd2", inputs: { prompt: "a fox" } };
  const taskBody = callBackUrl === undefined ? body : { ...body, callBackUrl };
  const { taskId } = await createTask(bed.ctx, account, taskBody, null);
  await finishTask(bed.ctx, taskId, { kind: "failed", code: "vendor_failed" });
  return taskId;
}

/** Delivers until nothing is open. */
async function deliverAll(): Promise<void> {
  const stop = new AbortController();
  const delivering = deliverDue(bed.ctx, stop.signal);
  await expect
    .poll(() => bed.database.sql("select from open_deliveries"), { timeout: 180_000 })
    .toHaveLength(0);
  stop.abort();
  await delivering;
}

const page = { limit: 50 };

test("events are listed from the newest, page by page, without a gap", async () => {
  const account = await bed.openAccount();
  const made = [await finished(account), await finished(account), await finished(account)];
  const newest = await readEvents(bed.ctx, account, { order: "desc", limit: 2 });
  expect(newest).toMatchObject({
    events: [{ taskId: made[2] }, { taskId: made[1] }],
    hasMore: true,
  });
  const older = await readEvents(bed.ctx, account, {
    order: "desc",
    before: newest.next,
    limit: 2,
  });
  expect(older).toMatchObject({ events: [{ taskId: made[0] }], hasMore: false });
});

test("the record shows every attempt, by task and by outcome", async () => {
  await using good = await startReceiver();
  await using bad = await startReceiver(() => 503);
  const account = await bed.openAccount();
  const [delivered, failed] = [await finished(account, good.url), await finished(account, bad.url)];
  const pending = await readDeliveries(bed.ctx, account, { ...page, outcome: "pending" });
  expect(pending.items.map(({ taskId }) => taskId)).toEqual([failed, delivered]);
  await deliverAll();
  const byTask = await readDeliveries(bed.ctx, account, { ...page, taskId: failed });
  expect(byTask.items).toMatchObject([
    {
      taskId: failed,
      outcome: "failed",
      nextAttemptAt: null,
      // At this speed an attempt has 750 ms, which a busy machine can need.
      attempts: [1, 2, 3, 4].map((number) => ({
        number,
        reason: expect.stringMatching(/^(answered 503|timed out after 15 s)$/),
      })),
    },
  ]);
  for (const [outcome, taskId] of [
    ["delivered", delivered],
    ["failed", failed],
  ] as const) {
    const { items } = await readDeliveries(bed.ctx, account, { ...page, outcome });
    expect(items.map((item) => item.taskId)).toEqual([taskId]);
  }
});

test("pages of the record have no gap and no repeat", async () => {
  const account = await bed.openAccount({ openTasksMax: 100 });
  const made: string[] = [];
  for (let n = 0; n < 7; n++) made.push(await finished(account, "http://127.0.0.1:1024/"));
  const seen: (string | null)[] = [];
  let cursor: string | undefined;
  do {
    const query = { limit: 3, cursor };
    const { items, nextCursor } = await readDeliveries(bed.ctx, account, query);
    seen.push(...items.map(({ taskId }) => taskId));
    cursor = nextCursor ?? undefined;
  } while (cursor !== undefined);
  expect(seen).toEqual(made.reverse());
  await bed.database.sql("delete from open_deliveries");
});

test("a delivery is made again by id: the same bytes and webhook-id, four attempts more", async () => {
  let status = 500;
  await using receiver = await startReceiver(() => status);
  const account = await bed.openAccount();
  const taskId = await finished(account, receiver.url);
  await deliverAll();
  const [item] = (await readDeliveries(bed.ctx, account, page)).items;
  const deliveryId = item?.deliveryId ?? "";
  expect(await deliverAgain(bed.ctx, account, { deliveryId })).toEqual({
    queued: 1,
    isMore: false,
  });
  expect(await deliverAgain(bed.ctx, account, { deliveryId })).toEqual({
    queued: 0,
    isMore: false,
  });
  await deliverAll();
  expect(receiver.received).toHaveLength(8);
  status = 200;
  await deliverAgain(bed.ctx, account, { deliveryId });
  await deliverAll();
  const record = await readDelivery(bed.ctx, account, deliveryId);
  expect(record.attempts.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
  expect(record).toMatchObject({ outcome: "delivered", taskId, webhookId: `msg_${deliveryId}` });
  expect(record.type).toBe("task.failed");
  expect(new Set(receiver.received.map(({ body }) => body))).toEqual(new Set([record.body]));
  expect(new Set(receiver.received.map(({ headers }) => headers["webhook-id"]))).toEqual(
    new Set([record.webhookId]),
  );
});

test("deliveries are made again by time, only the account's own and only the failed ones", async () => {
  await using bad = await startReceiver(() => 500);
  await using good = await startReceiver();
  const [account, other] = [await bed.openAccount(), await bed.openAccount()];
  await finished(account, bad.url);
  await finished(account, good.url);
  await finished(other, bad.url);
  await deliverAll();
  const hour = (n: number) => new Date(Date.now() + n * 3_600_000).toISOString();
  const again = (from: string, to: string) =>
    deliverAgain(bed.ctx, account, { from, to, outcome: "failed" });
  expect((await again(hour(-2), hour(-1))).queued).toBe(0);
  expect((await again(hour(-1), hour(1))).queued).toBe(1);
  await expect(again(hour(1), hour(-1))).rejects.toMatchObject({ param: "to" });
  await deliverAll();
  expect(good.received).toHaveLength(1);
  expect(bad.received).toHaveLength(4 + 4 + 4);
});

test("the time that a delivery shows is the time by which it is made again, however late its row came", async () => {
  await using receiver = await startReceiver();
  const account = await bed.openAccount();
  const id = newId<DeliveryId>(shardOf(account.id), Date.now() - 2_000);
  const { url } = receiver;
  await insertTestDelivery(bed.ctx.db, { id, accountId: account.id, url, body: "{}" });
  await deliverAll();
  const { createdAt } = await readDelivery(bed.ctx, account, id);
  const [from, to] = [new Date(createdAt), new Date(createdAt + 1)];
  const range = { from: from.toISOString(), to: to.toISOString(), outcome: "delivered" } as const;
  expect((await deliverAgain(bed.ctx, account, range)).queued).toBe(1);
  await deliverAll();
});

test("a receiver that was down for the whole schedule misses nothing with one loop over events", async () => {
  const account = await bed.openAccount({ openTasksMax: 100 });
  const made: string[] = [];
  for (let n = 0; n < 25; n++)
    made.push(await finished(account, n % 2 ? "http://127.0.0.1:1024/" : undefined));
  await deliverAll();
  const seen: string[] = [];
  for (let after = 0, hasMore = true; hasMore; ) {
    const answer = await readEvents(bed.ctx, account, { after, limit: 4 });
    seen.push(...answer.events.map(({ taskId }) => taskId));
    ({ next: after, hasMore } = answer);
  }
  expect(seen).toEqual(made);
});

test("an event says what the query says, and carries the id of its callback", async () => {
  await using receiver = await startReceiver();
  const account = await bed.openAccount();
  const taskId = await finished(account, receiver.url);
  await deliverAll();
  const { events } = await readEvents(bed.ctx, account, { after: 0, limit: 10 });
  expect(events).toMatchObject([{ taskId, type: "generation.failed" }]);
  expect(events[0]?.data).toEqual(await queryTask(bed.ctx, account, taskId));
  expect(receiver.received[0]?.headers["webhook-id"]).toBe(events[0]?.webhookId);
});

// The number is given out under the account's lock. Numbered by a sequence of the database instead,
// an event could be committed after one with a larger number was read, and be missed for good.
test("events of one account that end at once are read in the order in which they became visible", async () => {
  const account = await bed.openAccount({ credits: 100_000, openTasksMax: 1_000 });
  const body = { model: "sd2", inputs: { prompt: "a fox" } };
  const taskIds: TaskId[] = [];
  for (let n = 0; n < 60; n++)
    taskIds.push((await createTask(bed.ctx, account, body, null)).taskId);
  const another = bed.openAnother();
  let isOver = false;
  const failed = { kind: "failed", code: "vendor_failed" } as const;
  // As many at once as have connections: on a slow machine none waits for one too long.
  const ending = Promise.all(
    Array.from({ length: 8 }, async (_, n) => {
      for (let taskId = taskIds.pop(); taskId !== undefined; taskId = taskIds.pop())
        await finishTask(n % 2 ? bed.ctx : another, taskId, failed);
    }),
  ).finally(() => {
    isOver = true;
  });
  const seen: string[] = [];
  let after = 0;
  for (;;) {
    const wasOver = isOver;
    const { events, next } = await readEvents(bed.ctx, account, { after, limit: 100 });
    seen.push(...events.map(({ taskId }) => taskId));
    after = next;
    if (wasOver && events.length === 0) break;
  }
  await ending;
  expect(seen).toHaveLength(60);
  expect(new Set(seen).size).toBe(60);
});

test("events are forgotten after their days, and not before", async () => {
  const account = await bed.openAccount();
  await finished(account);
  await purgeEvents(bed.ctx.db, 1, 1_000);
  expect((await readEvents(bed.ctx, account, { after: 0, limit: 10 })).events).toHaveLength(1);
  await purgeEvents(bed.ctx.db, -1, 1_000);
  expect((await readEvents(bed.ctx, account, { after: 0, limit: 10 })).events).toEqual([]);
});

test("while a secret is replaced both sign, and each is enough for the official library", async () => {
  await using receiver = await startReceiver();
  const account = await bed.openAccount();
  const before = await showSecret(bed.ctx, account);
  const after = await rotateSecret(bed.ctx, byCommand, account.id, 1);
  expect(before.previousUntil).toBeNull();
  expect(after.secret).not.toBe(before.secret);
  expect(after.previousUntil).toBeGreaterThan(Date.now());
  await sendTest(bed.ctx, account, receiver.url);
  await deliverAll();
  const [request] = receiver.received;
  const verify = (secret: string) =>
    new Webhook(secret).verify(request?.body ?? "", request?.headers as Record<string, string>);
  expect(verify(before.secret)).toMatchObject({ test: true });
  expect(verify(after.secret)).toMatchObject({ test: true });
});

test("when the overlap is over, the secret before signs no more", async () => {
  await using receiver = await startReceiver();
  const account = await bed.openAccount();
  const before = await showSecret(bed.ctx, account);
  const after = await rotateSecret(bed.ctx, byCommand, account.id, 0);
  await sendTest(bed.ctx, account, receiver.url);
  await deliverAll();
  const [request] = receiver.received;
  const headers = request?.headers as Record<string, string>;
  expect(() => new Webhook(before.secret).verify(request?.body ?? "", headers)).toThrow();
  expect(new Webhook(after.secret).verify(request?.body ?? "", headers)).toMatchObject({
    test: true,
  });
});

test("with a tail it is tried beyond the four attempts, and no further than its hours", async () => {
  await using receiver = await startReceiver(() => 500);
  const account = await bed.openAccount();
  const tail = "update accounts set webhook_tail_hours = 1 where id = $1";
  await bed.database.sql(tail, [account.id]);
  await sendTest(bed.ctx, account, receiver.url);
  // Waits are twenty times shorter, ages are not: every attempt is made, until one would be too late.
  await bed.database.sql(
    "update deliveries set created_at = now() - interval '56 minutes' where account_id = $1",
    [account.id],
  );
  await deliverAll();
  expect(receiver.received.length).toBe(6); // after 1 and after 2 minutes more; 4 would be too late
});
