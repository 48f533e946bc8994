import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { checkMoney } from "../../test/harness/check-money.ts";
import { openTestBed, type TestBed } from "../../test/harness/test-context.ts";
import { createTestAccount } from "../accounts/create-test-account.ts";
import type { Caller } from "../accounts/queries.ts";
import { createTask } from "../generation/create-task.ts";
import { type AccountId, newId, type TaskId, type TransferId } from "../ids.ts";
import { finishTask } from "../tasks/finish-task.ts";
import { createBeginLots } from "./begin-lots.ts";
import { expireCredits } from "./expire-credits.ts";
import { adjustCredits, lowerHold, raiseHold, readBalance } from "./ledger.ts";
import { ledgerPage, readLedger } from "./read-ledger.ts";

let bed: TestBed;
beforeAll(async () => {
  bed = await openTestBed();
});
afterAll(async () => {
  await checkMoney(bed.database);
  await bed[Symbol.asyncDispose]();
});

const body = { model: "sd2", inputs: { prompt: "a fox" } };
const price = 30;
const noLines: [] = [];

interface Granted {
  credits: number;
  netMinor?: number;
  /** Such as '1 day'; a time that is over begins with a minus. */
  expiresIn?: string;
}

/** Returns the id of the lot. Paid lots are of kind grant here: sales have none yet. */
async function grant(accountId: AccountId, { credits, netMinor = 0, expiresIn }: Granted) {
  const id = newId<TransferId>(0);
  await bed.database.sql(
    `select post_transfer(p_cause_id => $1, p_kind => 'grant', p_transfer_id => $1, p_account_id => $2,
       p_amount => $3, p_source => $4, p_net_minor => $5, p_currency => $6, p_expires_at => now() + $7::interval)`,
    [
      id,
      accountId,
      credits,
      netMinor === 0 ? null : "purchase",
      netMinor,
      netMinor === 0 ? null : "USD",
      expiresIn ?? null,
    ],
  );
  return id;
}

const adjust = (accountId: AccountId, credits: number) =>
  adjustCredits(bed.ctx.pool, { accountId, credits, note: "x" });

/** A task of this price, at least that of the request as it is created. */
async function hold(account: Caller, credits = price): Promise<TaskId> {
  const { taskId } = await createTask(bed.ctx, account, body, null);
  if (credits > price)
    expect(await raiseHold(bed.ctx.db, { taskId, credits, lines: noLines })).toBe(true);
  if (credits < price) await lowerHold(bed.ctx.pool, { taskId, credits, lines: noLines });
  return taskId;
}
const charge = (taskId: TaskId) => finishTask(bed.ctx, taskId, { kind: "completed", output: [] });
const release = (taskId: TaskId) =>
  finishTask(bed.ctx, taskId, { kind: "failed", code: "vendor_failed" });

interface Use {
  kind: string;
  lotId: string;
  credits: number;
  netMinor: number;
}
/** The uses of an account in the order of their transfers; of one transfer in the order of the lots' ids. */
const usesOf = (accountId: AccountId) =>
  bed.database.sql<Use>(
    `select u.kind, u.lot_id as "lotId", u.credits::int, u.net_minor::int as "netMinor"
     from lot_uses u join transfers t using (cause_id, kind) where u.account_id = $1 order by t.number, u.lot_id`,
    [accountId],
  );
const lotsOf = (accountId: AccountId) =>
  bed.database.sql<{ id: string; source: string; credits: number; left: number }>(
    `select id, source, credits::int, credits_left::int as left from lots where account_id = $1 order by number`,
    [accountId],
  );
const leftOf = async (accountId: AccountId) => (await lotsOf(accountId)).map(({ left }) => left);

/** Makes an account one from before there were lots. */
const forgetLots = (accountId: AccountId) =>
  bed.database.sql(
    `begin; set local session_replication_role = replica; delete from lots where account_id = '${accountId}';
     delete from lot_uses where account_id = '${accountId}'; commit`,
  );

test("a charge takes lots that expire, soonest first; then free ones; then paid ones, oldest first", async () => {
  const account = await bed.openAccount({ credits: 0 });
  const firstPaid = await grant(account.id, { credits: 40, netMinor: 400 });
  const firstFree = await grant(account.id, { credits: 40 });
  const late = await grant(account.id, { credits: 40, expiresIn: "2 days" });
  const secondPaid = await grant(account.id, { credits: 40, netMinor: 400 });
  const soon = await grant(account.id, { credits: 40, netMinor: 80, expiresIn: "1 day" });
  const secondFree = await grant(account.id, { credits: 40 });
  for (const lotId of [soon, late, firstFree, secondFree, firstPaid, secondPaid]) {
    await charge(await hold(account, 40));
    expect((await usesOf(account.id)).at(-1)).toMatchObject({
      kind: "capture",
      lotId,
      credits: 40,
    });
  }
  expect((await usesOf(account.id)).map(({ netMinor }) => netMinor)).toEqual([
    80, 0, 0, 0, 400, 400,
  ]);
  expect(await readBalance(bed.ctx.db, account.id)).toEqual({ credits: 0, availableCredits: 0 });
});

test("a charge that one lot does not cover goes on in the next, and a hold alone takes nothing", async () => {
  const account = await bed.openAccount({ credits: 0 });
  const soon = await grant(account.id, { credits: 25, expiresIn: "1 day" });
  const free = await grant(account.id, { credits: 25 });
  const paid = await grant(account.id, { credits: 25, netMinor: 1_000 });
  const taskId = await hold(account, 60);
  expect(await usesOf(account.id)).toEqual([]);
  await charge(taskId);
  expect(await usesOf(account.id)).toEqual([
    { kind: "capture", lotId: soon, credits: 25, netMinor: 0 },
    { kind: "capture", lotId: free, credits: 25, netMinor: 0 },
    { kind: "capture", lotId: paid, credits: 10, netMinor: 400 },
  ]);
});

test("a downward adjustment takes free lots first, then paid ones, newest first, and recognises nothing", async () => {
  const account = await bed.openAccount({ credits: 0 });
  const first = await grant(account.id, { credits: 50, netMinor: 500 });
  const second = await grant(account.id, { credits: 50, netMinor: 250 });
  const free = await grant(account.id, { credits: 20 });
  await adjust(account.id, -50);
  const uses = await usesOf(account.id);
  expect(uses).toEqual([
    { kind: "adjust", lotId: second, credits: 30, netMinor: 150 },
    { kind: "adjust", lotId: free, credits: 20, netMinor: 0 },
  ]);
  await adjust(account.id, -40);
  expect((await usesOf(account.id)).slice(2)).toEqual([
    { kind: "adjust", lotId: first, credits: 20, netMinor: 200 },
    { kind: "adjust", lotId: second, credits: 20, netMinor: 100 },
  ]);
  const captured = "select from lot_uses where kind = 'capture' and account_id = $1";
  expect(await bed.database.sql(captured, [account.id])).toEqual([]);
});

test("a grant is goodwill, an upward adjustment an adjustment, and all of a test account is a test", async () => {
  const account = await bed.openAccount({ credits: 10 });
  await adjust(account.id, 5);
  expect(await lotsOf(account.id)).toMatchObject([
    { source: "goodwill", credits: 10 },
    { source: "adjustment", credits: 5 },
  ]);
  const { accountId: testAccount } = await createTestAccount(bed.ctx, account.id);
  const before = (await lotsOf(testAccount)).length;
  await grant(testAccount, { credits: 7, netMinor: 70, expiresIn: "-1 day" });
  await adjust(testAccount, 5);
  const ofTest = await lotsOf(testAccount);
  expect(ofTest).toHaveLength(before + 2);
  expect(new Set(ofTest.map(({ source }) => source))).toEqual(new Set(["test"]));
  const free = "net_minor = 0 and currency is null and expires_at is null";
  const paid = `select from lots where account_id = $1 and not (${free})`;
  expect(await bed.database.sql(paid, [testAccount])).toEqual([]);
});

test("whatever the pieces in which a lot is used, they sum to exactly its net", async () => {
  const piece = fc.integer({ min: 1, max: 90 });
  const lot = {
    credits: fc.integer({ min: 1, max: 400 }),
    netMinor: fc.integer({ min: 1, max: 5_000 }),
  };
  await fc.assert(
    fc.asyncProperty(fc.record(lot), fc.array(piece), async ({ credits, netMinor }, pieces) => {
      const account = await bed.openAccount({ credits: 0 });
      await grant(account.id, { credits, netMinor });
      let left = credits;
      for (const wanted of [...pieces, credits]) {
        const credits = Math.min(wanted, left);
        if (credits === 0) break;
        if (left >= price && credits <= 100) await charge(await hold(account, credits));
        else await adjust(account.id, -credits);
        left -= credits;
      }
      const uses = await usesOf(account.id);
      let gone = 0;
      for (const use of uses) {
        const share = (part: number) => Math.floor((netMinor * part) / credits);
        expect(use.netMinor).toBe(share(gone + use.credits) - share(gone));
        gone += use.credits;
      }
      expect(gone).toBe(credits);
      expect(uses.reduce((sum, use) => sum + use.netMinor, 0)).toBe(netMinor);
    }),
    { numRuns: 15 },
  );
}, 120_000);

test("the money of a use is exact where its product exceeds 64 bits", async () => {
  const account = await bed.openAccount({ credits: 0 });
  await grant(account.id, { credits: 1_000_000_000, netMinor: 9_007_199_254_740_991 });
  await adjust(account.id, -999_999_999);
  await adjust(account.id, -1);
  const [sum] = await bed.database.sql<{ net: string }>(
    "select sum(net_minor)::text as net from lot_uses where account_id = $1",
    [account.id],
  );
  expect(sum).toEqual({ net: "9007199254740991" });
});

test("what is left of a lot expires once, in a transfer of its own, and other lots stay", async () => {
  const account = await bed.openAccount({ credits: 20 });
  const lotId = await grant(account.id, { credits: 50, netMinor: 100, expiresIn: "-1 second" });
  await grant(account.id, { credits: 30, expiresIn: "1 day" });
  await charge(await hold(account, 30)); // spent until the loop has come
  await expireCredits(bed.ctx);
  expect(await readBalance(bed.ctx.db, account.id)).toEqual({ credits: 50, availableCredits: 50 });
  expect((await usesOf(account.id)).at(-1)).toEqual({
    kind: "expiry",
    lotId,
    credits: 20,
    netMinor: 40,
  });
  await expireCredits(bed.ctx);
  const expiries =
    "select amount::int, credits_after::int as after from transfers where account_id = $1 and kind = 'expiry'";
  expect(await bed.database.sql(expiries, [account.id])).toEqual([{ amount: 20, after: 50 }]);
});

test("the account reads an expiry in its ledger, of no task", async () => {
  const account = await bed.openAccount({ credits: 20 });
  await grant(account.id, { credits: 50, expiresIn: "-1 second" });
  await expireCredits(bed.ctx);
  const { items } = await readLedger(bed.ctx.db, account.id, { limit: 1 });
  expect(ledgerPage.parse({ items, nextCursor: null }).items).toMatchObject([
    { kind: "expiry", amount: 50, taskId: null, credits: 20, availableCredits: 20 },
  ]);
});

test("a hold over an expiry, released: what it held expires after it, and what it did not hold before", async () => {
  const account = await bed.openAccount({ credits: 0 });
  await grant(account.id, { credits: 40, expiresIn: "-2 seconds" });
  await grant(account.id, { credits: 10, expiresIn: "-1 second" });
  await grant(account.id, { credits: 10 });
  const taskId = await hold(account, 45);
  await expireCredits(bed.ctx);
  expect(await leftOf(account.id)).toEqual([40, 5, 10]);
  expect(await readBalance(bed.ctx.db, account.id)).toEqual({ credits: 55, availableCredits: 10 });
  await release(taskId);
  await expireCredits(bed.ctx);
  expect(await leftOf(account.id)).toEqual([0, 0, 10]);
  expect(await readBalance(bed.ctx.db, account.id)).toEqual({ credits: 10, availableCredits: 10 });
});

test("a hold over an expiry, captured: it is charged from the lots that have expired", async () => {
  const account = await bed.openAccount({ credits: 0 });
  await grant(account.id, { credits: 40, expiresIn: "-2 seconds" });
  await grant(account.id, { credits: 10 });
  const taskId = await hold(account, 45);
  await expireCredits(bed.ctx);
  expect(await leftOf(account.id)).toEqual([40, 10]);
  await charge(taskId);
  expect(await leftOf(account.id)).toEqual([0, 5]);
  await expireCredits(bed.ctx);
  expect(await readBalance(bed.ctx.db, account.id)).toEqual({ credits: 5, availableCredits: 5 });
});

test("two workers that expire at once take everything once", async () => {
  const accounts = await Promise.all(
    Array.from({ length: 12 }, async () => {
      const account = await bed.openAccount({ credits: 5 });
      for (const credits of [10, 20]) await grant(account.id, { credits, expiresIn: "-1 second" });
      return account;
    }),
  );
  const taken = await Promise.all([expireCredits(bed.ctx), expireCredits(bed.openAnother())]);
  expect(taken[0] + taken[1]).toBe(12 * 30);
  for (const { id } of accounts) {
    expect((await readBalance(bed.ctx.db, id)).credits).toBe(5);
    const expiries = "select from transfers where account_id = $1 and kind = 'expiry'";
    expect(await bed.database.sql(expiries, [id])).toHaveLength(1);
    const stuck = "select from stuck_rows where account_id = $1"; // the second found nothing, and no fault
    expect(await bed.database.sql(stuck, [id])).toEqual([]);
  }
});

test("an account whose expiry fails is noted, and stops no other", async () => {
  const [broken, other] = [
    await bed.openAccount({ credits: 0 }),
    await bed.openAccount({ credits: 0 }),
  ];
  await grant(broken.id, { credits: 10, expiresIn: "-2 seconds" });
  await grant(other.id, { credits: 10, expiresIn: "-1 second" });
  const change = (credits: number) =>
    bed.database.sql("update accounts set credits = $2 where id = $1", [broken.id, credits]);
  await change(9);
  expect(await expireCredits(bed.ctx)).toBe(10);
  expect((await readBalance(bed.ctx.db, other.id)).credits).toBe(0);
  const stuck = "select loop, key from stuck_rows where account_id = $1";
  expect(await bed.database.sql(stuck, [broken.id])).toEqual([
    { loop: "expire credits", key: broken.id },
  ]);
  await change(10);
  await bed.database.sql("delete from stuck_rows where account_id = $1", [broken.id]);
  expect(await expireCredits(bed.ctx)).toBe(10);
});

test("a balance from before there were lots becomes one lot by the loop, what is held included; once", async () => {
  const account = await bed.openAccount({ credits: 100 });
  await adjust(account.id, 20);
  await charge(await hold(account));
  const taskId = await hold(account);
  await forgetLots(account.id);
  const empty = await bed.openAccount({ credits: 0 });
  const [first, second] = [createBeginLots(bed.ctx), createBeginLots(bed.openAnother())];
  const begun = await Promise.all([first(), second()]);
  expect(begun[0] + begun[1]).toBe(1);
  expect(await lotsOf(account.id)).toMatchObject([{ source: "migration", credits: 90, left: 90 }]);
  expect(await lotsOf(empty.id)).toEqual([]);
  expect(await first()).toBe(0);
  await charge(taskId);
  expect(await leftOf(account.id)).toEqual([60]);
});

test.each([
  ["a charge", (_account: Caller, taskId: TaskId) => charge(taskId), [60]],
  ["a deduction", ({ id }: Caller) => adjust(id, -40), [50]],
  ["an upward adjustment", ({ id }: Caller) => adjust(id, 5), [90, 5]],
  ["a grant", ({ id }: Caller) => grant(id, { credits: 7 }), [90, 7]],
] as const)(
  "a balance from before there were lots becomes one lot by its first transfer: %s",
  async (_what, transfer, left) => {
    const account = await bed.openAccount({ credits: 120 });
    await charge(await hold(account));
    const taskId = await hold(account);
    await forgetLots(account.id);
    await transfer(account, taskId);
    expect((await lotsOf(account.id))[0]).toMatchObject({ source: "migration", credits: 90 });
    expect(await leftOf(account.id)).toEqual(left);
  },
);

test("the release before posts with its arguments: by name, with and without a note", async () => {
  const account = await bed.openAccount({ credits: 0 });
  const id = newId<TransferId>(0);
  await bed.database.sql(
    `select post_transfer(p_cause_id => $1, p_kind => 'grant', p_transfer_id => $1, p_account_id => $2,
       p_amount => 60, p_note => 'x')`,
    [id, account.id],
  );
  const taskId = await hold(account);
  await charge(taskId);
  await bed.database.sql(
    `select post_transfer(p_cause_id => $1, p_kind => 'adjust', p_transfer_id => $1, p_account_id => $2, p_amount => -10)`,
    [newId(0), account.id],
  );
  expect(await lotsOf(account.id)).toMatchObject([
    { id, source: "goodwill", credits: 60, left: 20 },
  ]);
});

test("lots that do not cover a charge refuse it, so that no credit is spent without an origin", async () => {
  const account = await bed.openAccount({ credits: 40 });
  const taskId = await hold(account);
  const change = (left: number) =>
    bed.database.sql("update lots set credits_left = $2 where account_id = $1", [account.id, left]);
  await change(29);
  await expect(charge(taskId)).rejects.toThrow("lack 1 credits");
  await change(40);
  expect(await charge(taskId)).toBe(true);
});

test.each([
  ["of no known source", "'gift', 5, 0, null, null"],
  ["of no credits", "'goodwill', 0, 0, null, null"],
  ["that was paid in no currency", "'purchase', 5, 10, null, null"],
  ["that was paid in a currency without a code", "'purchase', 5, 10, 'usd', null"],
  ["that was paid with less than nothing", "'purchase', 5, -10, 'USD', null"],
  ["of a test that was paid", "'test', 5, 10, 'USD', null"],
  ["of a test that expires", "'test', 5, 0, null, now()"],
])("the database refuses a lot %s", async (_what, values) => {
  const { id } = await bed.openAccount({ credits: 0 });
  const insert = `insert into lots (source, credits, net_minor, currency, expires_at, id, account_id, number,
      credits_left, is_open, cause_id)
    select source, credits, net_minor, currency, expires_at::timestamptz, gen_random_uuid(), $1::uuid, 1, v.credits, v.credits > 0, gen_random_uuid()
    from (values (${values})) as v (source, credits, net_minor, currency, expires_at)`;
  await expect(bed.database.sql(insert, [id])).rejects.toMatchObject({ code: "23514" });
});

test("nobody rewrites a lot or a use: not the service, not even their owner", async () => {
  const account = await bed.openAccount({ credits: 40 });
  await charge(await hold(account));
  const ofAccount = `account_id = '${account.id}'`;
  const { db } = bed.ctx;
  const lotChange = db
    .updateTable("lots")
    .set({ credits: 50 })
    .where("account_id", "=", account.id);
  const useChange = db
    .updateTable("lot_uses")
    .set({ credits: 5 })
    .where("account_id", "=", account.id);
  for (const change of [
    lotChange,
    useChange,
    db.deleteFrom("lots").where("account_id", "=", account.id),
    db.deleteFrom("lot_uses").where("account_id", "=", account.id),
  ])
    await expect(change.execute()).rejects.toThrow("permission denied");
  for (const change of [
    `update lots set credits = 50 where ${ofAccount}`,
    `update lots set expires_at = now() where ${ofAccount}`,
    `delete from lots where ${ofAccount}`,
    `update lot_uses set credits = 5 where ${ofAccount}`,
    `delete from lot_uses where ${ofAccount}`,
  ])
    await expect(bed.database.sql(change), change).rejects.toThrow("never changed");
});
