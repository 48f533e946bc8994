import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { checkMoney } from "../../../test/harness/check-money.ts";
import { openTestBed, type TestBed } from "../../../test/harness/test-context.ts";
import { readBalance } from "../../credits/ledger.ts";
import { noteFailures } from "../../flow/each-row.ts";
import { createTask } from "../../generation/create-task.ts";
import { queryTask } from "../../generation/query-task.ts";
import type { AccountId } from "../../ids.ts";
import { expireTasks } from "../../tasks/sweep.ts";
import { sendTest } from "../../webhooks/send-test.ts";
import { dropStuck, listStuck, retryStuck } from "./stuck-rows.ts";

let bed: TestBed;
beforeAll(async () => {
  bed = await openTestBed();
});
afterAll(async () => {
  await checkMoney(bed.database);
  await bed[Symbol.asyncDispose]();
});
beforeEach(() => bed.database.sql("delete from stuck_rows"));

/** A row of a loop that failed. */
async function fail(loop: string, key: string, accountId?: AccountId): Promise<void> {
  const how = { loop, keyOf: (row: string) => row };
  const ofAccount = accountId === undefined ? {} : { accountOf: () => accountId };
  await noteFailures(bed.ctx, { ...how, ...ofAccount }, [key], new Error("broken"));
}

const root = { kind: "command", user: "root", address: null, requestId: null } as const;
const retry = (loop: string, key: string | null) => retryStuck(bed.ctx, root, { loop, key });
const drop = (loop: string, key: string) => dropStuck(bed.ctx, root, { loop, key });
const stuckKeys = async () => (await listStuck(bed.ctx.db)).map(({ key }) => key);

test("list shows what fails, whose it is, since when and why, the parked first", async () => {
  const account = await bed.openAccount({ credits: 0 });
  await fail("deliveries", "one", account.id);
  await fail("collect objects", "two");
  await bed.database.sql("update stuck_rows set parked_at = now() where key = 'two'");
  const seen = { firstFailedAt: expect.any(Date), failures: 1, reason: "Error: broken" };
  expect(await listStuck(bed.ctx.db)).toEqual([
    { loop: "collect objects", key: "two", accountId: null, parkedAt: expect.any(Date), ...seen },
    { loop: "deliveries", key: "one", accountId: account.id, parkedAt: null, ...seen },
  ]);
});

test("retry forgets the failures of one row or of a whole loop", async () => {
  await fail("deliveries", "one");
  await fail("deliveries", "two");
  await fail("collect objects", "three");
  const missing = retry("deliveries", "none such");
  await expect(missing).rejects.toMatchObject({ code: "stuck_row_not_found" });
  expect(await retry("deliveries", "one")).toBe(1);
  expect((await stuckKeys()).sort()).toEqual(["three", "two"]);
  await retry("deliveries", null);
  expect(await stuckKeys()).toEqual(["three"]);
});

test("a task that is dropped fails within a sweep, and its hold is released", async () => {
  const account = await bed.openAccount({ credits: 100 });
  const body = { model: "sd2", inputs: { prompt: "a fox" } };
  const { taskId } = await createTask(bed.ctx, account, body, null);
  await fail("poll ark", taskId, account.id);
  expect(await drop("poll ark", taskId)).toContain(`tasks show ${taskId}`);
  expect(await stuckKeys()).toEqual([]);
  await expireTasks(bed.ctx);
  expect(await queryTask(bed.ctx, account, taskId)).toMatchObject({
    status: "FAILED",
    errorCode: "task_broken",
  });
  expect(await readBalance(bed.ctx.db, account.id)).toEqual({
    credits: 100,
    availableCredits: 100,
  });
});

test("a parked task still ends at its deadline, and is stuck no more then", async () => {
  const account = await bed.openAccount({ credits: 100 });
  const body = { model: "sd2", inputs: { prompt: "a fox" } };
  const { taskId } = await createTask(bed.ctx, account, body, null);
  await fail("poll ark", taskId, account.id);
  await bed.database.sql("update stuck_rows set parked_at = now(), next_try_at = 'infinity'");
  await bed.database.sql("update open_tasks set deadline_at = now() where task_id = $1", [taskId]);
  expect(await expireTasks(bed.ctx)).toBe(1);
  expect(await stuckKeys()).toEqual([]);
});

test("what is left of a task that is over is removed by drop", async () => {
  const account = await bed.openAccount();
  const gone = "01998b6e-2c00-7000-8000-000000000001";
  await bed.database.sql(
    `insert into open_tasks (task_id, account_id, vendor_account, deadline_at, next_step_at)
     values ($1, $2, 'ark', now(), now())`,
    [gone, account.id],
  );
  await fail("expire tasks", gone, account.id);
  await drop("expire tasks", gone);
  expect(await bed.database.sql("select from open_tasks where task_id = $1", [gone])).toEqual([]);
});

test("a delivery that is dropped is given up, and a file's record is forgotten", async () => {
  const account = await bed.openAccount({ credits: 0 });
  const { deliveryId } = await sendTest(bed.ctx, account, "http://127.0.0.1:9/");
  await bed.database.sql("insert into media_objects (key, expires_at) values ('bad', now())");
  await fail("deliveries", deliveryId, account.id);
  await fail("collect objects", "bad");
  await drop("deliveries", deliveryId);
  await drop("collect objects", "bad");
  const [delivery] = await bed.database.sql(
    `select given_up_at, (select count(*)::int from open_deliveries) as open
     from deliveries where id = $1`,
    [deliveryId],
  );
  expect(delivery).toEqual({ given_up_at: expect.any(Date), open: 0 });
  expect(await bed.database.sql("select from media_objects where key = 'bad'")).toEqual([]);
  expect(await stuckKeys()).toEqual([]);
  const again = drop("deliveries", deliveryId);
  await expect(again).rejects.toMatchObject({ code: "stuck_row_not_found" });
});
