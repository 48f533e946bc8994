import { afterAll, beforeAll, expect, test } from "vitest";
import { checkMoney } from "../../test/harness/check-money.ts";
import { insertAsset } from "../../test/harness/insert-asset.ts";
import { openTestBed, type TestBed } from "../../test/harness/test-context.ts";
import type { Caller } from "../accounts/queries.ts";
import { readBalance } from "../credits/ledger.ts";
import { createTask } from "../generation/create-task.ts";
import type { TaskId } from "../ids.ts";
import type { OpenContext } from "../open-context.ts";
import { finishTask } from "./finish-task.ts";

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

async function outcomes(creates: Promise<{ taskId: TaskId }>[]): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const result of await Promise.allSettled(creates)) {
    const name = result.status === "fulfilled" ? "accepted" : String(result.reason.code);
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}

const create = (ctx: OpenContext, account: Caller) => createTask(ctx, account, body, null);

// The guards are both `for no key update` of accept_tasks: without them the creates count before any of them
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
    message: "This task costs 30 credits, but only 29 are available.",
  });
  expect(await bed.database.sql(counts)).toEqual(before);
});

test("the limit is reported before the price when both would refuse", async () => {
  const account = await bed.openAccount({ credits: price, openTasksMax: 1 });
  await create(bed.ctx, account);
  await expect(create(bed.ctx, account)).rejects.toMatchObject({ code: "concurrency_limit" });
});

test("a key used again with another body is refused", async () => {
  const account = await bed.openAccount();
  await createTask(bed.ctx, account, body, "k");
  const other = { ...body, inputs: { prompt: "a hen" } };
  const again = createTask(bed.ctx, account, other, "k");
  await expect(again).rejects.toMatchObject({ code: "idempotency_key_reused" });
});

test("the database itself keeps no key of no or of more than 255 characters, and no task with it", async () => {
  const account = await bed.openAccount();
  for (const key of ["", "k".repeat(256)])
    await expect(createTask(bed.ctx, account, body, key)).rejects.toThrow("key_check");
  const balance = await readBalance(bed.ctx.db, account.id);
  expect(balance).toEqual({ credits: 10_000, availableCredits: 10_000 });
  await createTask(bed.ctx, account, body, "k".repeat(255));
});

test("a bad body is refused as such, also under a key that was used for another", async () => {
  const account = await bed.openAccount();
  await createTask(bed.ctx, account, body, "k");
  const bad = createTask(bed.ctx, account, { model: "sd9", inputs: {} }, "k");
  await expect(bad).rejects.toMatchObject({ code: "invalid_parameters", param: "model" });
});

test("a repeated request gets its answer even when it would be refused by now", async () => {
  const account = await bed.openAccount();
  await insertAsset(bed.database, { accountId: account.id, upstreamAssetId: "asset-1-gone" });
  const inputs = {
    videoInputMode: "reference",
    resolution: "720x720",
    videoUrls: ["asset://asset-1-gone"],
  };
  const first = await createTask(bed.ctx, account, { model: "sd2", inputs }, "k");
  await bed.database.sql("delete from assets");
  const again = await createTask(bed.ctx, account, { model: "sd2", inputs }, "k");
  expect(again).toEqual({ taskId: first.taskId, replayed: true, openTasks: null });
  const fresh = createTask(bed.ctx, account, { model: "sd2", inputs }, "other");
  await expect(fresh).rejects.toMatchObject({ code: "invalid_parameters" });
});

test("while the account's row is held, a keyed request is refused as in progress, another as account busy", async () => {
  const account = await bed.openAccount();
  await bed.database.sql("begin");
  await bed.database.sql("select from accounts where id = $1 for update", [account.id]);
  try {
    const [keyed, plain] = await Promise.allSettled([
      createTask(bed.ctx, account, body, "k"),
      createTask(bed.ctx, account, body, null),
    ]);
    expect(keyed).toMatchObject({ reason: { code: "request_in_progress", retryAfterSeconds: 1 } });
    expect(plain).toMatchObject({ reason: { code: "account_busy", retryAfterSeconds: 1 } });
  } finally {
    await bed.database.sql("commit");
  }
  expect((await createTask(bed.ctx, account, body, "k")).replayed).toBe(false);
});

test("200 identical creates with one key over two processes are one task, one hold and 200 equal answers", async () => {
  const account = await bed.openAccount({ openTasksMax: 1 });
  const another = bed.openAnother();
  const answers = await Promise.all(
    Array.from({ length: 200 }, (_, n) =>
      createTask(n % 2 ? bed.ctx : another, account, body, "same"),
    ),
  );
  expect(new Set(answers.map(({ taskId }) => taskId)).size).toBe(1);
  expect(answers.filter(({ replayed }) => !replayed)).toHaveLength(1);
  expect((await readBalance(bed.ctx.db, account.id)).availableCredits).toBe(10_000 - price);
});

test("of 500 parallel creates on a key with a budget for ten, exactly ten are admitted", async () => {
  const limits = { creditsMax: 10 * price + 29 };
  const account = await bed.openAccount({ credits: 100_000, openTasksMax: 1_000, limits });
  const another = bed.openAnother();
  const creates = Array.from({ length: 500 }, (_, n) => create(n % 2 ? bed.ctx : another, account));
  expect(await outcomes(creates)).toEqual({ accepted: 10, key_budget_exceeded: 490 });
});

test("a failed task gives its credits back to the key's budget, a completed one does not", async () => {
  const account = await bed.openAccount({ limits: { creditsMax: price } });
  const first = await create(bed.ctx, account);
  await finishTask(bed.ctx, first.taskId, { kind: "failed", code: "vendor_failed" });
  const second = await create(bed.ctx, account);
  await finishTask(bed.ctx, second.taskId, { kind: "completed", output: [] });
  await expect(create(bed.ctx, account)).rejects.toMatchObject({
    code: "key_budget_exceeded",
    message: expect.stringContaining("0 are left"),
  });
});

test("a key that was revoked or ran out a moment ago accepts nothing, whatever is remembered of it", async () => {
  for (const change of ["revoked_at = now()", "expires_at = now()"]) {
    const account = await bed.openAccount();
    await create(bed.ctx, account);
    await bed.database.sql(`update api_keys set ${change} where id = $1`, [account.keyId]);
    await expect(create(bed.ctx, account)).rejects.toMatchObject({ code: "unauthorized" });
  }
});
