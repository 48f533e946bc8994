import { afterAll, beforeAll, expect, test } from "vitest";
import { startReceiver } from "../../test/harness/receiver.ts";
import { openTestBed, type TestBed } from "../../test/harness/test-context.ts";
import { deliverDue } from "./deliver-due.ts";
import { sendTest } from "./send-test.ts";

let bed: TestBed;
beforeAll(async () => {
  bed = await openTestBed({ DELIVERY_INTERVAL_MS: "20", DELIVERY_SPEED: "10" });
});
afterAll(() => bed[Symbol.asyncDispose]());

/** Delivers until the condition holds. */
async function deliverUntil(condition: () => Promise<boolean>): Promise<void> {
  const stop = new AbortController();
  const delivering = deliverDue(bed.ctx, stop.signal);
  try {
    await expect.poll(condition, { timeout: 180_000 }).toBe(true);
  } finally {
    stop.abort();
    await delivering;
  }
}

const stuck = (deliveryId: string) =>
  bed.database.sql<{ account_id: string; failures: number }>(
    "select account_id, failures from stuck_rows where loop = 'deliveries' and key = $1",
    [deliveryId],
  );

/** The number of the next attempt is taken already: the statement that takes due rows fails on it. */
const poison = (deliveryId: string) =>
  bed.database.sql("insert into attempts (delivery_id, number, started_at) values ($1, 1, now())", [
    deliveryId,
  ]);

test("a delivery whose row fails the statement stops nobody's callbacks, its own lane's neither", async () => {
  await using receiver = await startReceiver();
  const [bad, good] = [await bed.openAccount(), await bed.openAccount()];
  const poisoned = await sendTest(bed.ctx, bad, `${receiver.url}/poisoned`);
  await poison(poisoned.deliveryId);
  await sendTest(bed.ctx, bad, `${receiver.url}/same-lane`);
  await sendTest(bed.ctx, bad, `${receiver.url.replace("127.0.0.1", "localhost")}/same-account`);
  await sendTest(bed.ctx, good, `${receiver.url}/other-account`);
  await deliverUntil(async () => receiver.received.length >= 3);
  expect(receiver.received.map(({ url }) => url).sort()).toEqual([
    "/other-account",
    "/same-account",
    "/same-lane",
  ]);
  expect(await stuck(poisoned.deliveryId)).toEqual([{ account_id: bad.id, failures: 1 }]);
});

test("one poisoned delivery among many lanes is found, and all others arrive", async () => {
  await using receiver = await startReceiver();
  const accounts = await Promise.all(
    Array.from({ length: 40 }, () => bed.openAccount({ credits: 0 })),
  );
  const sent = await Promise.all(
    accounts.map((account, n) => sendTest(bed.ctx, account, `${receiver.url}/${n}`)),
  );
  const poisoned = sent[17]?.deliveryId ?? "";
  await poison(poisoned);
  await deliverUntil(async () => receiver.received.length >= 39);
  expect(receiver.received.map(({ url }) => url)).not.toContain("/17");
  expect(await stuck(poisoned)).toHaveLength(1);
});

test("a delivery that was stuck arrives once its row is mended, and is stuck no more", async () => {
  await using receiver = await startReceiver();
  const account = await bed.openAccount();
  const { deliveryId } = await sendTest(bed.ctx, account, receiver.url);
  await poison(deliveryId);
  await deliverUntil(async () => (await stuck(deliveryId)).length > 0);
  await bed.database.sql("delete from attempts where delivery_id = $1", [deliveryId]);
  await bed.database.sql("update stuck_rows set next_try_at = now() where key = $1", [deliveryId]);
  await deliverUntil(async () => (await stuck(deliveryId)).length === 0);
  expect(receiver.received).toHaveLength(1);
});

test("a secret that cannot sign and an address that is none fail as attempts, and others go out", async () => {
  await using receiver = await startReceiver();
  const [unsigned, unparsable, good] = await Promise.all([
    bed.openAccount(),
    bed.openAccount(),
    bed.openAccount(),
  ]);
  await bed.database.sql("update accounts set webhook_secret = '' where id = $1", [unsigned.id]);
  const first = await sendTest(bed.ctx, unsigned, `${receiver.url}/unsigned`);
  const second = await sendTest(bed.ctx, unparsable, `${receiver.url}/unparsable`);
  await bed.database.sql("update deliveries set url = 'http://' where id = $1", [
    second.deliveryId,
  ]);
  await sendTest(bed.ctx, good, `${receiver.url}/good`);
  const reasons = async (deliveryId: string) =>
    (
      await bed.database.sql<{ reason: string | null }>(
        "select reason from attempts where delivery_id = $1 and duration_ms is not null order by number",
        [deliveryId],
      )
    ).map(({ reason }) => reason);
  const isOver = async (deliveryId: string) => (await reasons(deliveryId)).length === 4;
  await deliverUntil(
    async () => (await isOver(first.deliveryId)) && (await isOver(second.deliveryId)),
  );
  expect(receiver.received.map(({ url }) => url)).toEqual(["/good"]);
  expect(new Set(await reasons(first.deliveryId))).toEqual(
    new Set(["this service could not sign the callback: the account's secret is damaged"]),
  );
});
