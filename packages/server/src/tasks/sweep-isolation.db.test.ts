import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { Client } from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { checkMoney } from "../../test/harness/check-money.ts";
import { openTestBed, type TestBed } from "../../test/harness/test-context.ts";
import type { Caller } from "../accounts/queries.ts";
import { createTask } from "../generation/create-task.ts";
import { queryTask } from "../generation/query-task.ts";
import { expireTasks } from "./sweep.ts";

let vendor: Server; // takes every call and never answers
let calls: string[];
let bed: TestBed;
beforeAll(async () => {
  calls = [];
  vendor = createServer((request) => calls.push(`${request.method} ${request.url}`));
  vendor.listen(0, "127.0.0.1");
  await once(vendor, "listening");
  const { port } = vendor.address() as AddressInfo;
  const ark = { name: "ark", kind: "ark", baseUrl: `http://127.0.0.1:${port}`, apiKey: "k" };
  bed = await openTestBed({ VENDORS: JSON.stringify([ark]) });
});
afterAll(async () => {
  await checkMoney(bed.database);
  vendor.closeAllConnections();
  vendor.close();
  await bed[Symbol.asyncDispose]();
});

/** A task whose deadline has passed, the vendor being at work on it; earlier ones are swept first. */
async function overdue(account: Caller, minutes: number): Promise<string> {
  const body = { model: "sd2", inputs: { prompt: "a fox" } };
  const { taskId } = await createTask(bed.ctx, account, body, null);
  await bed.database.sql(
    `update open_tasks set deadline_at = now() - $2 * interval '1 minute', vendor_account = 'ark',
       submit_started_at = now(), vendor_job_id = task_id::text where task_id = $1`,
    [taskId, minutes],
  );
  return taskId;
}

const statusOf = async (account: Caller, taskId: string) =>
  (await queryTask(bed.ctx, account, taskId)).status;

const stuck = (taskId: string) =>
  bed.database.sql("select failures from stuck_rows where loop = 'expire tasks' and key = $1", [
    taskId,
  ]);
const tryAgainNow = () => bed.database.sql("update stuck_rows set next_try_at = now()");

test("tasks end at their deadline whether or not the vendor answers their cancels", async () => {
  const account = await bed.openAccount({ openTasksMax: 30 });
  const tasks = await Promise.all(Array.from({ length: 30 }, () => overdue(account, 1)));
  expect(await expireTasks(bed.ctx)).toBe(30);
  for (const taskId of tasks) expect(await statusOf(account, taskId)).toBe("FAILED");
  await expect.poll(() => calls.length, { timeout: 180_000 }).toBe(8); // all that is sent at once
  expect(calls[0]).toMatch(/^DELETE /);
});

test("an account whose row is locked makes only its own tasks wait", async () => {
  const [locked, other] = [
    await bed.openAccount({ openTasksMax: 10 }),
    await bed.openAccount({ openTasksMax: 10 }),
  ];
  const waiting = await Promise.all(Array.from({ length: 5 }, () => overdue(locked, 2)));
  const free = await overdue(other, 1);
  const locker = new Client({ connectionString: bed.database.ownerUrl });
  await locker.connect();
  await locker.query("begin");
  await locker.query("select from accounts where id = $1 for update", [locked.id]);
  expect(await expireTasks(bed.ctx)).toBe(1);
  expect(await statusOf(other, free)).toBe("FAILED");
  await locker.end();
  await tryAgainNow();
  expect(await expireTasks(bed.ctx)).toBe(5);
  for (const taskId of waiting) expect(await statusOf(locked, taskId)).toBe("FAILED");
  expect(await bed.database.sql("select from stuck_rows")).toEqual([]);
});

test("a task that cannot be ended is counted, ends once it is mended, and stops no other task", async () => {
  const [damaged, other] = [await bed.openAccount(), await bed.openAccount()];
  const bad = await overdue(damaged, 2);
  const [held] = await bed.database.sql<{ held: number }>(
    "select held from accounts where id = $1",
    [damaged.id],
  );
  // its hold cannot be released: the account would hold less than nothing
  await bed.database.sql("update accounts set held = 0 where id = $1", [damaged.id]);
  const good = await overdue(other, 1);
  expect(await expireTasks(bed.ctx)).toBe(1);
  expect(await statusOf(other, good)).toBe("FAILED");
  expect(await stuck(bad)).toEqual([{ failures: 1 }]);
  expect(await expireTasks(bed.ctx)).toBe(0); // left alone for a while
  expect(await stuck(bad)).toEqual([{ failures: 1 }]);
  await bed.database.sql("update accounts set held = $2 where id = $1", [damaged.id, held?.held]);
  await tryAgainNow();
  expect(await expireTasks(bed.ctx)).toBe(1);
  expect(await statusOf(damaged, bad)).toBe("FAILED");
  expect(await stuck(bad)).toEqual([]);
});

test("an open row that is left of a task that is over is counted, and stops no other task", async () => {
  const account = await bed.openAccount();
  const over = await overdue(account, 2);
  await expireTasks(bed.ctx);
  await bed.database.sql(
    `insert into open_tasks (task_id, account_id, vendor_account, deadline_at, next_step_at)
     values ($1, $2, 'ark', now() - interval '2 minutes', now())`,
    [over, account.id],
  );
  const good = await overdue(account, 1);
  expect(await expireTasks(bed.ctx)).toBe(1);
  expect(await statusOf(account, good)).toBe("FAILED");
  expect(await stuck(over)).toEqual([{ failures: 1 }]);
  await bed.database.sql("delete from open_tasks where task_id = $1", [over]);
});
