import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { openTestBed, type TestBed } from "../../test/harness/test-context.ts";
import type { Caller } from "../accounts/queries.ts";
import { newId } from "../ids.ts";
import { deliverAgain } from "./deliver-again.ts";
import { takeDueDeliveries } from "./queries.ts";
import { attemptsUsual } from "./schedule.ts";
import { sendTest } from "./send-test.ts";

const url = "http://127.0.0.1:1024/";
const host = "127.0.0.1:1024";

let bed: TestBed;
beforeAll(async () => {
  bed = await openTestBed({ REDELIVERIES_PER_MINUTE_MAX: "40", TEST_EVENTS_PER_MINUTE_MAX: "3" });
});
afterEach(async () => {
  await bed.database.sql("delete from open_deliveries");
});
afterAll(() => bed[Symbol.asyncDispose]());

/** Deliveries that were given up. */
async function giveUp(caller: Caller, count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, () => newId(0));
  await bed.database.sql(
    `insert into deliveries (id, account_id, url, body, given_up_at)
     select id, $1, $2, '{}', now() from unnest($3::uuid[]) as id`,
    [caller.id, url, ids],
  );
  return ids;
}

/** The end of every round that is open, as if all of its attempts had failed. */
async function endRounds(): Promise<void> {
  await bed.database.sql(`
    with ended as (delete from open_deliveries returning delivery_id)
    update deliveries set given_up_at = now() where id in (select delivery_id from ended)`);
}

const range = {
  from: "2020-01-01T00:00:00Z",
  to: "2999-01-01T00:00:00Z",
  outcome: "failed",
} as const;

async function refusalOf(work: Promise<unknown>) {
  return work.then(
    () => null,
    (error: { code: string; retryAfterSeconds?: number; message: string }) => error,
  );
}

test("a delivery with more attempts than fit into two bytes is attempted once more", async () => {
  const account = await bed.openAccount({ credits: 0 });
  const [deliveryId] = await giveUp(account, 1);
  await bed.database.sql(
    "insert into open_deliveries (delivery_id, account_id, host, attempts, attempts_before, next_attempt_at) values ($1, $2, $3, 32767, 32767, now())",
    [deliveryId, account.id, host],
  );
  const shares = [{ lane: { accountId: account.id, host }, rowsMax: 1 }];
  const taken = await takeDueDeliveries(bed.ctx.db, shares, { attemptsUsual, leaseMs: 1_000 });
  expect(taken).toMatchObject([{ deliveryId, number: 32_768, attemptInRound: 1 }]);
});

test("a delivery is made again 20 times by hand and no more, and says what to do instead", async () => {
  const account = await bed.openAccount({ credits: 0 });
  const [deliveryId = ""] = await giveUp(account, 1);
  for (let round = 1; round <= 20; round += 1) {
    expect(await deliverAgain(bed.ctx, account, { deliveryId })).toEqual({
      queued: 1,
      isMore: false,
    });
    await endRounds();
  }
  expect(await refusalOf(deliverAgain(bed.ctx, account, { deliveryId }))).toMatchObject({
    code: "redeliveries_spent",
    message: expect.stringContaining("/api/v1/webhooks/delivery"),
  });
  expect(await deliverAgain(bed.ctx, account, range)).toEqual({ queued: 0, isMore: false });
});

test("an account's redeliveries per minute are limited over all processes, by id and by range alike, and nobody else's are", async () => {
  const [account, other] = [
    await bed.openAccount({ credits: 0 }),
    await bed.openAccount({ credits: 0 }),
  ];
  await giveUp(account, 45);
  await giveUp(other, 1);
  const [first = "", ...more] = await giveUp(account, 5);
  expect(await deliverAgain(bed.ctx, account, { deliveryId: first })).toEqual({
    queued: 1,
    isMore: false,
  });
  expect(await deliverAgain(bed.openAnother(), account, range)).toEqual({
    queued: 39,
    isMore: true,
  });
  for (const body of [{ deliveryId: more[0] ?? "" }, range]) {
    const refusal = await refusalOf(deliverAgain(bed.ctx, account, body));
    expect(refusal).toMatchObject({ code: "redelivery_limit" });
    expect(refusal?.retryAfterSeconds).toBeGreaterThan(0);
    expect(refusal?.retryAfterSeconds).toBeLessThanOrEqual(60);
  }
  expect(await deliverAgain(bed.ctx, other, range)).toEqual({ queued: 1, isMore: false });
  await bed.database.sql("update account_allowances set used_at = used_at - interval '1 minute'");
  expect((await deliverAgain(bed.ctx, account, range)).queued).toBe(10);
});

test("what a range does not use is left for the next one", async () => {
  const account = await bed.openAccount({ credits: 0 });
  await giveUp(account, 1);
  for (let n = 0; n < 60; n += 1) await deliverAgain(bed.ctx, account, range);
  const [deliveryId = ""] = await giveUp(account, 1);
  expect((await deliverAgain(bed.ctx, account, { deliveryId })).queued).toBe(1);
  for (let n = 0; n < 60; n += 1)
    expect((await deliverAgain(bed.ctx, account, { deliveryId })).queued).toBe(0); // it is open already
});

test("an account's test events per minute are limited over all processes, also when they come at once", async () => {
  const [account, other] = [
    await bed.openAccount({ credits: 0 }),
    await bed.openAccount({ credits: 0 }),
  ];
  const another = bed.openAnother();
  const refusals = await Promise.all(
    Array.from({ length: 12 }, (_, n) =>
      refusalOf(sendTest(n % 2 ? bed.ctx : another, account, url)),
    ),
  );
  expect(refusals.filter((refusal) => refusal === null)).toHaveLength(3);
  for (const refusal of refusals.filter((one) => one !== null)) {
    expect(refusal.code).toBe("test_event_limit");
    expect(refusal.retryAfterSeconds).toBeGreaterThan(0);
  }
  expect(await refusalOf(sendTest(bed.ctx, other, url))).toBeNull();
  expect(
    await bed.database.sql("select from deliveries where account_id = $1", [account.id]),
  ).toHaveLength(3);
});
