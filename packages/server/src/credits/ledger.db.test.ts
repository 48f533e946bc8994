import { waitUntil } from "@zoetrope/dev/services/wait-until.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { checkMoney } from "../../test/harness/check-money.ts";
import { openTestBed, type TestBed } from "../../test/harness/test-context.ts";
import { callFunction } from "../db/database.ts";
import { createTask } from "../generation/create-task.ts";
import { type AccountId, newId, type TaskId } from "../ids.ts";
import { finishTask } from "../tasks/finish-task.ts";
import { adjustCredits, findHold, grantCredits, raiseHold, readBalance } from "./ledger.ts";

let bed: TestBed;
beforeAll(async () => {
  bed = await openTestBed();
});
afterAll(async () => {
  await checkMoney(bed.database);
  await bed[Symbol.asyncDispose]();
});

const count = "select count(*)::int as count from transfers";
const body = { model: "sd2", inputs: { prompt: "a fox" } };
const price = 30;
const failed = { kind: "failed", code: "vendor_failed" } as const;
/** What is priced does not matter to a transfer. */
const lines: [] = [];

const post = (kind: string, accountId: AccountId, causeId: string, amount: number) =>
  callFunction(bed.ctx.pool, "post_transfer", {
    cause_id: causeId,
    kind,
    transfer_id: newId(0),
    account_id: accountId,
    amount,
    note: null,
    expires_at: null,
  });

const finish = (taskId: TaskId, status: "COMPLETED" | "FAILED") =>
  callFunction(bed.ctx.pool, "finish_task", {
    task_id: taskId,
    status,
    output: status === "COMPLETED" ? "[]" : null,
    error_code: status === "COMPLETED" ? null : "vendor_failed",
    error_message: status === "COMPLETED" ? null : "x",
    completed_at: new Date(),
    settlement_id: newId(0),
    event_id: newId(0),
    body: "{}",
  });

test("a hold ends once: as a charge or given back, and nothing can follow", async () => {
  const account = await bed.openAccount({ credits: 100 });
  await createTask(bed.ctx, account, body, null); // another hold, so that the balance would allow it
  for (const [first, status] of [
    ["capture", "COMPLETED"],
    ["release", "FAILED"],
  ] as const) {
    const { taskId } = await createTask(bed.ctx, account, body, null);
    await finish(taskId, status);
    for (const second of ["capture", "release"])
      await expect(post(second, account.id, taskId, price), `${first}, ${second}`).rejects.toThrow(
        "duplicate key",
      );
  }
  expect(await readBalance(bed.ctx.db, account.id)).toEqual({ credits: 70, availableCredits: 40 });
});

// The guard is the status condition of finish_task. Only a row that was changed by hand gets that far.
test("the hold of a task is found by the task, also when it has been settled", async () => {
  const account = await bed.openAccount({ credits: 100 });
  const { taskId } = await createTask(bed.ctx, account, body, null);
  const hold = await findHold(bed.ctx.db, taskId);
  await finish(taskId, "COMPLETED");
  const rows = await bed.database.sql("select id, kind from transfers where cause_id = $1", [
    taskId,
  ]);
  expect(rows).toHaveLength(2);
  expect(rows).toContainEqual({ id: hold, kind: "hold" });
  expect(await findHold(bed.ctx.db, taskId)).toBe(hold);
});

test("a task that is over is not ended again, even where its open row was left behind", async () => {
  const account = await bed.openAccount({ credits: 100 });
  const balance = () => readBalance(bed.ctx.db, account.id);
  const { taskId } = await createTask(bed.ctx, account, body, null);
  const change = (values: string) =>
    bed.database.sql(`update tasks set ${values} where id = $1`, [taskId]);
  await change("status = 'COMPLETED', output = '[]', completed_at = now()");
  await expect(finish(taskId, "FAILED")).rejects.toThrow("no rows");
  expect(await balance()).toEqual({ credits: 100, availableCredits: 70 });
  await change("status = 'PENDING', output = null, completed_at = null");
  expect(await finish(taskId, "FAILED")).toEqual({ is_finished: true });
  expect(await balance()).toEqual({ credits: 100, availableCredits: 100 });
});

test("the database itself refuses a balance below its holds, whatever posts it", async () => {
  const { id: accountId } = await bed.openAccount({ credits: 10 });
  const update = "update accounts set held = credits + 1 where id = $1";
  await expect(bed.database.sql(update, [accountId])).rejects.toThrow("credits_cover_holds");
  await expect(post("hold", accountId, newId(0), 11)).rejects.toThrow("credits_cover_holds");
  await expect(post("release", accountId, newId(0), 1)).rejects.toThrow("credits_cover_holds");
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
    for (const verb of [`delete from ${table}`, `update ${table} set amount = 5`])
      await expect(
        bed.database.sql(`${verb} where account_id = '${accountId}'`),
        verb,
      ).rejects.toThrow("never changed");
  }
  expect(await bed.database.sql(count)).toEqual(before);
});

test("a grant of nothing or less is refused, and so is one for nobody", async () => {
  const { id: accountId } = await bed.openAccount({ credits: 10 });
  for (const credits of [0, -5])
    await expect(grantCredits(bed.ctx.pool, { accountId, credits, note: "" })).rejects.toThrow();
  const nobody = { accountId: newId<AccountId>(0), credits: 5, note: "" };
  await expect(grantCredits(bed.ctx.pool, nobody)).rejects.toThrow("there is no account");
});

test("an adjustment goes both ways, but never below what is held", async () => {
  const account = await bed.openAccount({ credits: 50 });
  await createTask(bed.ctx, account, body, null);
  const adjust = (credits: number) =>
    adjustCredits(bed.ctx.pool, { accountId: account.id, credits, note: "goodwill" });
  await adjust(5);
  await adjust(-25);
  expect(await readBalance(bed.ctx.db, account.id)).toEqual({ credits: 30, availableCredits: 0 });
  await expect(adjust(-1)).rejects.toThrow("credits_cover_holds");
  await expect(adjust(0)).rejects.toThrow("transfers_amount_check");
});

test("a hold is raised to the real price once, and all of it is given back or charged", async () => {
  const account = await bed.openAccount({ credits: 200 });
  const balance = () => readBalance(bed.ctx.db, account.id);
  const { taskId } = await createTask(bed.ctx, account, body, null);
  expect(await raiseHold(bed.ctx.db, { taskId, credits: 75, lines })).toBe(true);
  expect(await balance()).toEqual({ credits: 200, availableCredits: 125 });
  expect(await raiseHold(bed.ctx.db, { taskId, credits: 75, lines })).toBe(true); // repeated: no change
  expect(await balance()).toEqual({ credits: 200, availableCredits: 125 });
  await expect(raiseHold(bed.ctx.db, { taskId, credits: 80, lines })).rejects.toThrow(
    "duplicate key",
  );
  await finishTask(bed.ctx, taskId, failed);
  expect(await balance()).toEqual({ credits: 200, availableCredits: 200 });
  expect(await raiseHold(bed.ctx.db, { taskId, credits: 90, lines })).toBe(false);
});

test("a raise that the balance or the key's budget does not allow changes nothing", async () => {
  for (const options of [{ credits: 40 }, { credits: 100, limits: { creditsMax: 40 } }]) {
    const account = await bed.openAccount(options);
    const { taskId } = await createTask(bed.ctx, account, body, null);
    expect(await raiseHold(bed.ctx.db, { taskId, credits: 41, lines })).toBe(false);
    expect(await raiseHold(bed.ctx.db, { taskId, credits: 40, lines })).toBe(true);
    const { availableCredits } = await readBalance(bed.ctx.db, account.id);
    expect(availableCredits).toBe(options.credits - 40);
  }
});

// The guard is the lock on the open row in raise_hold: without it the raise has seen the task open,
// waits for nothing but the task's row, and then holds more for a task that is over.
test("a raise that meets a finish waits for it, and then there is nothing to raise", async () => {
  const account = await bed.openAccount({ credits: 100 });
  const { taskId } = await createTask(bed.ctx, account, body, null);
  const { sql } = bed.database;
  await sql("begin");
  await sql(
    `select finish_task(
       p_task_id => $1, p_status => 'FAILED', p_output => null, p_error_code => 'vendor_failed',
       p_error_message => 'x', p_completed_at => now(), p_settlement_id => $2, p_event_id => $3, p_body => '{}')`,
    [taskId, newId(0), newId(0)],
  );
  const raise = raiseHold(bed.ctx.db, { taskId, credits: 75, lines });
  const waiting = "select from pg_locks where pg_backend_pid() = any (pg_blocking_pids(pid))";
  try {
    await waitUntil("the raise waits for the finish", async () => (await sql(waiting)).length > 0, {
      timeoutMs: 4_000,
    });
  } finally {
    await sql("commit");
  }
  expect(await raise).toBe(false);
  expect(await readBalance(bed.ctx.db, account.id)).toEqual({
    credits: 100,
    availableCredits: 100,
  });
});
