import { Client } from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { checkMoney } from "../../test/harness/check-money.ts";
import { outwait } from "../../test/harness/outwait.ts";
import { openTestBed, type TestBed } from "../../test/harness/test-context.ts";
import type { Caller } from "../accounts/queries.ts";
import { createTask } from "../generation/create-task.ts";

let bed: TestBed;
beforeAll(async () => {
  bed = await openTestBed();
});
afterAll(async () => {
  await checkMoney(bed.database);
  await bed[Symbol.asyncDispose]();
});

const body = { model: "sd2", inputs: { prompt: "a fox" } };
const create = (account: Caller) => createTask(bed.ctx, account, body, null);
const openAccounts = (count: number) =>
  Promise.all(Array.from({ length: count }, () => bed.openAccount({ credits: 100 })));

test("creates of the same moment share a transaction, and each account's limits hold", async () => {
  const accounts = await openAccounts(12);
  // Three tasks are open at most, and a hundred credits pay for three.
  const creates = accounts.flatMap((account) => Array.from({ length: 5 }, () => create(account)));
  const results = await Promise.allSettled(creates);
  const accepted = results.filter(({ status }) => status === "fulfilled");
  expect(accepted).toHaveLength(3 * accounts.length);
  const [row] = await bed.database.sql<{ count: string }>(
    "select count(distinct xmin::text) from tasks where account_id = any ($1)",
    [accounts.map(({ id }) => id)],
  );
  expect(Number(row?.count)).toBeLessThan(accepted.length);
});

test("an Idempotency-Key that is used twice at the same moment makes one task", async () => {
  const [account] = await openAccounts(1);
  if (account === undefined) throw new Error("no account");
  const once = () => createTask(bed.ctx, account, body, "the same key");
  const created = await Promise.all(Array.from({ length: 6 }, once));
  expect(new Set(created.map(({ taskId }) => taskId)).size).toBe(1);
});

// Without halving, everybody who creates at the same moment gets the error of the one account.
test("an account whose row is damaged fails alone", async () => {
  const [bad, ...others] = await openAccounts(16);
  const setTransfers = (count: string) =>
    bed.database.sql(`update accounts set transfers = ${count} where id = $1`, [bad?.id]);
  await setTransfers("9223372036854775807"); // no number is left for the next one
  const results = await Promise.allSettled([...others, ...(bad ? [bad] : [])].map(create));
  expect(results.map(({ status }) => status)).toEqual([
    ...others.map(() => "fulfilled"),
    "rejected",
  ]);
  await setTransfers("1");
});

// Without `skip locked`, the others wait until the lock is free, which is after them.
test("an account that is locked delays nobody", async () => {
  const [locked, ...others] = await openAccounts(12);
  const client = new Client({ connectionString: bed.database.ownerUrl });
  await client.connect();
  try {
    await client.query("begin");
    await client.query("select from accounts where id = $1 for update", [locked?.id]);
    const late = locked && outwait(() => create(locked));
    expect(await Promise.all(others.map(create))).toHaveLength(others.length);
    expect(await Promise.all(others.map(create))).toHaveLength(others.length);
    await client.query("commit");
    expect(await late).toMatchObject({ taskId: expect.any(String) });
  } finally {
    await client.end();
  }
});
