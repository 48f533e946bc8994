import { afterAll, beforeAll, expect, test } from "vitest";
import { checkMoney } from "../../test/harness/check-money.ts";
import { openTestBed, type TestBed } from "../../test/harness/test-context.ts";
import type { Account } from "../accounts/queries.ts";
import type { Context } from "../context.ts";
import { readBalance } from "../credits/ledger.ts";
import { createTask } from "../generation/create-task.ts";

let bed: TestBed;
beforeAll(async () => {
  bed = await openTestBed();
});
afterAll(async () => {
  await checkMoney(bed.database);
  await bed[Symbol.asyncDispose]();
});

const body = { model: "sd2", inputs: { prompt: "a fox" } }; // 30 credits
const price = 30;

async function outcomes(creates: Promise<{ taskId: string }>[]): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const result of await Promise.allSettled(creates)) {
    const name = result.status === "fulfilled" ? "accepted" : String(result.reason.code);
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}

const create = (ctx: Context, account: Account) => createTask(ctx, account, body, null);

// The guard is `forNoKeyUpdate()` in lockAccount: without it the creates count before any of them
// has inserted, and this test saw all ten accepted.
test("of ten simultaneous creates on one account exactly three are accepted", async () => {
  const account = await bed.openAccount();
  const creates = Array.from({ length: 10 }, () => create(bed.ctx, account));
  expect(await outcomes(creates)).toEqual({ accepted: 3, concurrency_limit: 7 });
  const balance = await readBalance(bed.ctx.db, account.id);
  expect(balance).toEqual({ credits: 10_000, availableCredits: 10_000 - 3 * price });
});

test("simultaneous creates from two processes never hold more than there is", async () => {
  const account = await bed.openAccount({ credits: 10 * price + 29, openTasksMax: 1000 });
  const another = bed.openAnother();
  const creates = Array.from({ length: 60 }, (_, n) => create(n % 2 ? bed.ctx : another, account));
  expect(await outcomes(creates)).toEqual({ accepted: 10, insufficient_credits: 50 });
  expect((await readBalance(bed.ctx.db, account.id)).availableCredits).toBe(29);
});

test("a refused create leaves no row anywhere", async () => {
  const account = await bed.openAccount({ credits: price - 1 });
  const counts = `select (select count(*) from tasks) as tasks, (select count(*) from open_tasks) as open,
    (select count(*) from transfers) as transfers, (select count(*) from idempotency_keys) as keys`;
  const before = await bed.database.sql(counts);
  await expect(createTask(bed.ctx, account, body, "k")).rejects.toMatchObject({
    code: "insufficient_credits",
    message: "This task costs 30 credits and 29 are available.",
  });
  expect(await bed.database.sql(counts)).toEqual(before);
});

test("the limit is told before the price when both would refuse", async () => {
  const account = await bed.openAccount({ credits: price, openTasksMax: 1 });
  await create(bed.ctx, account);
  await expect(create(bed.ctx, account)).rejects.toMatchObject({ code: "concurrency_limit" });
});

test("fifty simultaneous creates with one key over two processes are one task", async () => {
  const account = await bed.openAccount({ openTasksMax: 100 });
  const another = bed.openAnother();
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, n) =>
      createTask(n % 2 ? bed.ctx : another, account, body, "same"),
    ),
  );
  expect(new Set(answers.map((answer) => answer.taskId)).size).toBe(1);
  expect(answers.filter((answer) => !answer.replayed)).toHaveLength(1);
  expect((await readBalance(bed.ctx.db, account.id)).availableCredits).toBe(10_000 - price);
});

test("a key used again with another body is refused", async () => {
  const account = await bed.openAccount();
  await createTask(bed.ctx, account, body, "k");
  const other = { ...body, inputs: { prompt: "a hen" } };
  const again = createTask(bed.ctx, account, other, "k");
  await expect(again).rejects.toMatchObject({ code: "idempotency_key_reused" });
});

test("the same key of two accounts is two tasks", async () => {
  const first = await createTask(bed.ctx, await bed.openAccount(), body, "shared");
  const second = await createTask(bed.ctx, await bed.openAccount(), body, "shared");
  expect(first.taskId).not.toBe(second.taskId);
});

test.each([
  ["A", 30],
  ["B", 200],
] as const)(
  "an account of schedule %s pays %d credits for five seconds",
  async (schedule, credits) => {
    const account = await bed.openAccount({ schedule });
    const { taskId } = await create(bed.ctx, account);
    const [task] = await bed.database.sql(
      "select credits, price_schedule from tasks where id = $1",
      [taskId],
    );
    expect(task).toEqual({ credits: String(credits), price_schedule: schedule });
  },
);
