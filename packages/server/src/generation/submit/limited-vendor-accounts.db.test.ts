import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openTestBed, type TestBed } from "../../../test/harness/test-context.ts";
import type { TaskId } from "../../ids.ts";
import {
  insertVendorAccount,
  listBudgetsSpent,
  type NewVendorAccount,
  readUse,
  replaceCredentials,
  setPaused,
} from "../../routing/queries.ts";
import { storedCredentials } from "../../routing/read-vendor-account.ts";
import { findOpenTask } from "../../tasks/open-task-queries.ts";
import { createTask } from "../create-task.ts";
import { submitJob } from "./submit-job.ts";

/** A server that accepts the keys in the set, and refuses the configured prompts. */
let server: Server;
let accepted: Set<string>;
let isBlocking: boolean;
let jobs: number;
let bed: TestBed;
beforeEach(async () => {
  accepted = new Set(["key-1"]);
  isBlocking = false;
  jobs = 0;
  server = createServer((request, response) => {
    request.resume();
    const isKnown = accepted.has((request.headers.authorization ?? "").replace("Bearer ", ""));
    const [status, body] = !isKnown
      ? [401, { error: { code: "AuthenticationError", message: "no" } }]
      : isBlocking
        ? [400, { error: { code: "InputTextSensitiveContentDetected", message: "no" } }]
        : [200, { id: `job-${++jobs}` }];
    response.writeHead(Number(status), { "content-type": "application/json" });
    response.end(JSON.stringify(body));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  bed = await openTestBed({ VENDORS: "[]" });
});
afterEach(async () => {
  await bed[Symbol.asyncDispose]();
  server.closeAllConnections();
  server.close();
});

async function addVendorAccount(more: Partial<NewVendorAccount> = {}): Promise<void> {
  const { port } = server.address() as AddressInfo;
  await insertVendorAccount(bed.ctx.db, {
    name: "ark",
    kind: "ark",
    models: null,
    weight: 100,
    settings: { baseUrl: `http://127.0.0.1:${port}` },
    openJobsMax: null,
    creditsPerDayMax: null,
    credentials: credentials("key-1"),
    ...more,
  });
}

function credentials(key: string): string {
  const { keyRing } = bed.ctx;
  if (keyRing === null) throw new Error("no key ring");
  return storedCredentials(keyRing, "ark", key);
}

async function created(): Promise<TaskId> {
  const account = await bed.openAccount({ credits: 100_000 });
  const body = { model: "sd2", inputs: { prompt: "a fox" } } as const;
  return (await createTask(bed.ctx, account, body, null)).taskId;
}

const jobOf = async (taskId: TaskId) => (await findOpenTask(bed.ctx.db, taskId))?.vendorJobId;

test("a task for a vendor account that was added a moment ago is submitted there by a process that has not read it yet", async () => {
  await addVendorAccount();
  const taskId = await created();
  expect(await submitJob(bed.ctx, taskId)).toEqual({ kind: "waiting" });
  expect(await jobOf(taskId)).toBe("job-1");
});

test("while the only vendor account is paused its tasks wait, and are submitted when it is resumed", async () => {
  await addVendorAccount();
  await setPaused(bed.ctx.db, "ark", true);
  const taskId = await created();
  expect(await submitJob(bed.ctx, taskId)).toEqual({ kind: "waiting" });
  expect([jobs, await jobOf(taskId)]).toEqual([0, null]);
  await setPaused(bed.ctx.db, "ark", false);
  await bed.ctx.refreshVendors();
  await submitJob(bed.ctx, taskId);
  expect(await jobOf(taskId)).toBe("job-1");
});

test("a key that was replaced and revoked loses no task of a process that still has the old one", async () => {
  await addVendorAccount();
  await bed.ctx.refreshVendors();
  const { credentials: from } = await bed.database
    .sql<{ credentials: string }>("select credentials from vendor_accounts")
    .then(([row]) => row ?? { credentials: "" });
  await replaceCredentials(bed.ctx.db, { name: "ark", from, to: credentials("key-2") });
  accepted = new Set(["key-2"]);
  const taskId = await created();
  expect(await submitJob(bed.ctx, taskId)).toEqual({ kind: "waiting" });
  await submitJob(bed.ctx, taskId);
  expect(await jobOf(taskId)).toBe("job-1");
});

test("beyond its open jobs and its credits of the day a vendor account gets no submits, the tasks wait, and refused input costs no credits", async () => {
  await addVendorAccount({ openJobsMax: 1 });
  const [first, second] = [await created(), await created()];
  for (const taskId of [first, second]) await submitJob(bed.ctx, taskId);
  expect([await jobOf(first), await jobOf(second)]).toEqual(["job-1", null]);

  const credits = (await findOpenTask(bed.ctx.db, second))?.credits ?? 0;
  await bed.database.sql(
    "update vendor_accounts set open_jobs_max = null, credits_per_day_max = $1",
    [credits],
  );
  await bed.ctx.refreshVendors();
  isBlocking = true;
  expect(await submitJob(bed.ctx, await created())).toMatchObject({ code: "input_blocked" });
  expect((await readUse(bed.ctx.db, "ark")).creditsToday).toBe(0);
  isBlocking = false;
  await submitJob(bed.ctx, second);
  expect(await jobOf(second)).toBe("job-2");
  const third = await created();
  expect(await listBudgetsSpent(bed.ctx.db)).toEqual(new Set());
  expect(await submitJob(bed.ctx, third)).toEqual({ kind: "waiting" });
  expect(await listBudgetsSpent(bed.ctx.db)).toEqual(new Set(["ark"]));
  expect([jobs, await jobOf(third)]).toEqual([2, null]);
});

test("however many tasks are submitted at once, open jobs and credits of the day are never more than the limits", async () => {
  await addVendorAccount({ openJobsMax: 3 });
  await bed.ctx.refreshVendors();
  const submitAtOnce = async () => {
    const taskIds = await Promise.all(Array.from({ length: 10 }, created));
    await Promise.all(taskIds.map((taskId) => submitJob(bed.ctx, taskId)));
    return taskIds;
  };
  const [first] = await submitAtOnce();
  expect(jobs).toBe(3);
  const credits = first === undefined ? 0 : await creditsOf(first);
  await bed.database.sql(
    "update vendor_accounts set open_jobs_max = null, credits_per_day_max = 4 * $1::bigint",
    [credits],
  );
  await bed.ctx.refreshVendors();
  await submitAtOnce();
  expect(jobs).toBe(7);
  expect((await readUse(bed.ctx.db, "ark")).creditsToday).toBe(4 * credits);
});

async function creditsOf(taskId: TaskId): Promise<number> {
  const [row] = await bed.database.sql<{ credits: number }>(
    "select credits::int as credits from tasks where id = $1",
    [taskId],
  );
  return row?.credits ?? 0;
}

test("a task waits while this process cannot open a vendor account, such as without its key in the ring", async () => {
  await addVendorAccount({ credentials: "enc1:another:AAAA" });
  await bed.ctx.refreshVendors();
  const taskId = await created();
  expect(await submitJob(bed.ctx, taskId)).toEqual({ kind: "waiting" });
  expect(await findOpenTask(bed.ctx.db, taskId)).toMatchObject({ submitStartedAt: null });
});
