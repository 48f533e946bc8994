import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestBed, type TestBed } from "../../test/harness/test-context.ts";
import { noteSick, noteThrottle, noteWell, passPace } from "../routing/pace-queries.ts";

let bed: TestBed;
beforeAll(async () => {
  bed = await openTestBed();
});
afterAll(() => bed[Symbol.asyncDispose]());

const skipMs = 30_000;
const fail = (account: string) => noteSick(bed.ctx.db, account, { failuresMax: 5, skipMs });
const isOpen = async (account: string) => (await passPace(bed.ctx.db, account, skipMs)).mayCall;
const makeSick = async (account: string) => {
  for (let n = 0; n < 5; n++) await fail(account);
};
const pass = (account: string, seconds: number) =>
  bed.database.sql(
    `update vendor_pace set skipped_until = skipped_until - $2 * interval '1 second',
       throttled_until = throttled_until - $2 * interval '1 second' where vendor_account = $1`,
    [account, seconds],
  );

test("five failures in a row, seen by any process, make every process skip an account, and no other", async () => {
  const other = bed.openAnother();
  await makeSick("ark");
  expect(await passPace(other.db, "ark", skipMs)).toEqual({ mayCall: false, waitMs: 0 });
  expect(await isOpen("dashscope")).toBe(true);
});

test("four failures and a success are no reason", async () => {
  for (let round = 0; round < 3; round++) {
    for (let n = 0; n < 4; n++) await fail("four");
    expect(await isOpen("four")).toBe(true);
    await noteWell(bed.ctx.db, "four");
  }
});

test("after the break one caller of all processes is let through, and its success opens the way for all", async () => {
  await makeSick("one");
  await pass("one", 30);
  const callers = await Promise.all(Array.from({ length: 8 }, () => isOpen("one")));
  expect(callers.filter((open) => open)).toHaveLength(1);
  await noteWell(bed.ctx.db, "one");
  expect(await isOpen("one")).toBe(true);
});

test("the one that is let through and fails closes the way for another break", async () => {
  await makeSick("again");
  await pass("again", 30);
  expect(await isOpen("again")).toBe(true);
  await fail("again");
  await pass("again", 20);
  expect(await isOpen("again")).toBe(false);
  await pass("again", 11);
  expect(await isOpen("again")).toBe(true);
});

test("a throttle says how long, and ends what was skipped: the vendor has answered", async () => {
  await makeSick("slow");
  await noteThrottle(bed.ctx.db, "slow", 60_000);
  const { mayCall: open, waitMs } = await passPace(bed.ctx.db, "slow", skipMs);
  expect(open).toBe(false);
  expect(waitMs).toBeGreaterThan(30_000);
  await pass("slow", 61);
  expect([await isOpen("slow"), await isOpen("slow")]).toEqual([true, false]);
});
