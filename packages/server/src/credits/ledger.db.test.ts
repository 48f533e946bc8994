import { afterAll, beforeAll, expect, test } from "vitest";
import { checkMoney } from "../../test/harness/check-money.ts";
import { openTestBed, type TestBed } from "../../test/harness/test-context.ts";
import { inTransaction, type Tx } from "../db/database.ts";
import { newId } from "../ids.ts";
import { capture, grantCredits, hold, readBalance, release } from "./ledger.ts";

let bed: TestBed;
beforeAll(async () => {
  bed = await openTestBed();
});
afterAll(async () => {
  await checkMoney(bed.database);
  await bed[Symbol.asyncDispose]();
});

const transact = <Result>(work: (tx: Tx) => Promise<Result>) => inTransaction(bed.ctx.db, work);
const count = "select count(*)::int as count from transfers";

test("a hold is available until it is captured, and then gone", async () => {
  const { id: accountId } = await bed.openAccount({ credits: 100 });
  const task = { accountId, taskId: newId(0), credits: 40 };
  await transact((tx) => hold(tx, task));
  expect(await readBalance(bed.ctx.db, accountId)).toEqual({ credits: 100, availableCredits: 60 });
  await transact((tx) => capture(tx, task));
  expect(await readBalance(bed.ctx.db, accountId)).toEqual({ credits: 60, availableCredits: 60 });
});

test("a hold that was captured cannot be released, and the other way round", async () => {
  const { id: accountId } = await bed.openAccount({ credits: 100 });
  const [one, other] = [newId(0), newId(0)].map((taskId) => ({ accountId, taskId, credits: 10 }));
  if (one === undefined || other === undefined) throw new Error("unreachable");
  await transact((tx) => hold(tx, one));
  await transact((tx) => hold(tx, other));
  await transact((tx) => capture(tx, one));
  await expect(transact((tx) => release(tx, one))).rejects.toThrow("duplicate key");
  await expect(transact((tx) => capture(tx, one))).rejects.toThrow("duplicate key");
  await transact((tx) => release(tx, other));
  await expect(transact((tx) => capture(tx, other))).rejects.toThrow("duplicate key");
  expect(await readBalance(bed.ctx.db, accountId)).toEqual({ credits: 90, availableCredits: 90 });
});

test("the database itself refuses a balance below its holds", async () => {
  const { id: accountId } = await bed.openAccount({ credits: 10 });
  const update = "update accounts set held = credits + 1 where id = $1";
  await expect(bed.database.sql(update, [accountId])).rejects.toThrow("credits_cover_holds");
});

test("nobody rewrites the ledger: not the service, not even its owner", async () => {
  const { id: accountId } = await bed.openAccount({ credits: 10 });
  const before = await bed.database.sql(count);
  for (const table of ["transfers", "entries"] as const) {
    const change = bed.ctx.db
      .updateTable(table)
      .set({ amount: 5 })
      .where("account_id", "=", accountId);
    await expect(change.execute()).rejects.toThrow("permission denied");
    const removal = bed.ctx.db.deleteFrom(table).where("account_id", "=", accountId);
    await expect(removal.execute()).rejects.toThrow("permission denied");
    const rows = `${table} where account_id = '${accountId}'`;
    await expect(bed.database.sql(`delete from ${rows}`)).rejects.toThrow("never changed");
  }
  expect(await bed.database.sql(count)).toEqual(before);
});

test("a grant of nothing or less is refused", async () => {
  const { id: accountId } = await bed.openAccount({ credits: 10 });
  for (const credits of [0, -5])
    await expect(
      transact((tx) => grantCredits(tx, { accountId, credits, note: "" })),
    ).rejects.toThrow();
});
