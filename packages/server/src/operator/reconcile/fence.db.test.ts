import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { rename } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { waitUntil } from "@zoetrope/dev/services/wait-until.ts";
import { controlSandbox } from "@zoetrope/testkit/sandbox-control.ts";
import { makeScratch } from "@zoetrope/testkit/services/scratch.ts";
import { type Receiver, startReceiver } from "@zoetrope/testkit/start-receiver.ts";
import { type Sandbox, startSandbox } from "@zoetrope/testkit/start-sandbox.ts";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { claimOf } from "../../../test/harness/claim-of.ts";
import { operateOn } from "../../../test/harness/operate.ts";
import { openTestBed, type TestBed } from "../../../test/harness/test-context.ts";
import { createTask } from "../../generation/create-task.ts";
import { pollJob } from "../../generation/poll/poll-job.ts";
import { submitJob } from "../../generation/submit/submit-job.ts";
import type { TaskId } from "../../ids.ts";
import { findOpenTask } from "../../tasks/open-task-queries.ts";
import { claimSubmit } from "../../tasks/submit-queries.ts";
import { claimSubmit as claimSegment } from "../../upscale/segments/queries.ts";

/** A database that is older than the world around it submits nothing. */

const run = promisify(execFile);

let sandbox: Sandbox;
let engine: Receiver; // stands where the engine's admin API would
let settings: Record<string, string>;
let bed: TestBed;
beforeAll(async () => {
  sandbox = await startSandbox({ SANDBOX_QUEUED_MS: "20", SANDBOX_RUNNING_MS: "20" });
  engine = await startReceiver(() => ({ status: 200, body: { rows: [] } }));
  const ark = { name: "ark", kind: "ark", baseUrl: `${sandbox.url}/api/v3` };
  settings = {
    VENDORS: JSON.stringify([{ ...ark, apiKey: "sandbox-ark-key" }]),
    KEY_RING: `test ${randomBytes(32).toString("base64")}`,
    RESTATE_ADMIN_URL: engine.url,
    WORKER_URL: "http://127.0.0.1:9",
  };
});
beforeEach(async () => {
  bed = await openTestBed(settings);
});
afterEach(async () => {
  await bed[Symbol.asyncDispose]();
});
afterAll(async () => {
  await engine[Symbol.asyncDispose]();
  await sandbox[Symbol.asyncDispose]();
});

/** Moves the last step back by a minute, so that the next one counts. */
const passMinute = () =>
  bed.database.sql("update fence set advanced_at = advanced_at - interval '1 minute'");

async function step(fence = bed.ctx.fence): Promise<void> {
  await passMinute();
  await fence.keep();
}

async function positionNow(): Promise<number> {
  const [row] = await bed.database.sql<{ position: string }>("select position from fence");
  return Number(row?.position);
}

async function notedPosition(): Promise<number> {
  const text = await bed.ctx.storage.readNote("fence-0");
  return (JSON.parse(text ?? "{}") as { position: number }).position;
}

async function newTask(prompt = "a fox"): Promise<TaskId> {
  const account = await bed.openAccount();
  const request = { model: "sd2", inputs: { prompt } };
  const { taskId } = await createTask(bed.ctx, account, request, null);
  for (const column of [
    "tasks set created_at = created_at",
    "open_tasks set deadline_at = deadline_at",
  ]) {
    const key = column.startsWith("tasks") ? "id" : "task_id";
    await bed.database.sql(`update ${column} - interval '60 s' where ${key} = $1`, [taskId]);
  }
  return taskId;
}

const jobOf = async (taskId: TaskId) => (await findOpenTask(bed.ctx.db, taskId))?.vendorJobId;
const countJobs = async () => (await controlSandbox(sandbox.control).listJobs()).length;

test("one of many workers counts on, and storage has the position after the database", async () => {
  const others = [bed.openAnother(), bed.openAnother(), bed.openAnother()];
  await passMinute();
  await Promise.all([bed.ctx, ...others].map(({ fence }) => fence.keep()));
  expect([await positionNow(), await notedPosition()]).toEqual([1, 1]);
  await step(others[0]?.fence);
  expect([await positionNow(), await notedPosition()]).toEqual([2, 2]);
  await bed.ctx.fence.keep(); // too early to count, but it sees what the other noted
  expect([await positionNow(), await bed.ctx.fence.known()]).toEqual([2, 2]);
});

test("a claim by a process that knows of a later position is refused, and so is every one once a worker has noticed", async () => {
  const taskId = await newTask();
  const { pool, db } = bed.ctx;
  expect(await claimSubmit(pool, { ...claimOf(taskId), known: 1 })).toBeUndefined();
  await step();
  await bed.database.sql("update fence set position = 0"); // as a restore would
  await bed.ctx.fence.keep();
  expect(await claimSubmit(pool, claimOf(taskId))).toBeUndefined();
  const held = { taskId, number: 0, worker: "00000000-0000-4000-8000-000000000000" };
  expect(await claimSegment(db, held, 0)).toBe(false);
  expect(await claimSubmit(pool, { ...claimOf(taskId), known: null })).toBeDefined(); // reconcile's
});

test("a database that is behind does not catch up by itself", async () => {
  await step();
  await step();
  await bed.database.sql("update fence set position = 1");
  const newcomer = bed.openAnother(); // knows what storage says
  for (const { fence } of [newcomer, bed.ctx, newcomer, bed.ctx]) {
    await step(fence);
    expect([await positionNow(), fence.wasBehind()]).toEqual([1, true]);
  }
  expect(await notedPosition()).toBe(2);
});

test("a database that has every position, as after a synchronous failover, raises no alarm", async () => {
  await step();
  await step();
  for (const { fence } of [bed.ctx, bed.openAnother()]) {
    await fence.keep();
    expect([await fence.isBehind(), fence.wasBehind()]).toEqual([false, false]);
  }
  const taskId = await newTask();
  await submitJob(bed.ctx, taskId);
  expect(await jobOf(taskId)).toEqual(expect.any(String));
});

test("nothing is submitted before storage could be read once; later the memory is enough", async () => {
  await step();
  const taskId = await newTask();
  const away = `${bed.storageDir}-away`;
  await rename(bed.storageDir, away);
  const newcomer = bed.openAnother();
  try {
    await submitJob(newcomer, taskId);
    expect(await jobOf(taskId)).toBeNull();
    await step(); // counts on in the database alone
    expect([await positionNow(), await bed.ctx.fence.known()]).toEqual([2, 2]);
    await submitJob(bed.ctx, taskId);
    expect(await jobOf(taskId)).toEqual(expect.any(String));
  } finally {
    await rename(away, bed.storageDir);
  }
  expect(await newcomer.fence.known()).toBe(1);
});

test("a worker that starts while the note is damaged submits, polls and ends nothing and says why, until it has read one", async () => {
  await step();
  await step();
  const waiting = await newTask();
  const sent = await newTask();
  await submitJob(bed.ctx, sent);
  await bed.ctx.storage.writeNote("fence-0", "{");
  const newcomer = bed.openAnother();
  await submitJob(newcomer, waiting);
  expect(await jobOf(waiting)).toBeNull();
  expect(await pollJob(newcomer, sent)).toEqual({ kind: "waiting" });
  // Deadlines and the deletion of files ask this first.
  expect(await newcomer.fence.isBehind()).toBe(true);
  await expect(newcomer.fence.keep()).rejects.toThrow("damaged");
  expect(newcomer.fence.fault()).toBe("the note fence-0 in storage is damaged");

  await step(); // a worker that knows the position writes it again
  expect(await notedPosition()).toBe(3);
  await newcomer.fence.keep();
  expect(newcomer.fence.fault()).toBeNull();
  const isOpen = async () => !(await newcomer.fence.isBehind());
  await waitUntil("the newcomer has asked again", isOpen, { timeoutMs: 60_000 });
  await submitJob(newcomer, waiting);
  expect(await jobOf(waiting)).toEqual(expect.any(String));
});

test("a dump that is restored under a running worker submits nothing before reconcile --apply, and everything once after it", async () => {
  await step();
  const [sent, waiting] = [await newTask("sent after the dump"), await newTask("never sent")];
  const { ownerUrl } = bed.database;
  await using scratch = await makeScratch("dump");
  const dump = join(scratch.path, "dump.sql");
  await run("pg_dump", ["--file", dump, ownerUrl]);
  const point = new Date().toISOString();
  await step();
  const jobsBefore = await countJobs();
  await submitJob(bed.ctx, sent);
  const jobId = await jobOf(sent);
  expect(await countJobs()).toBe(jobsBefore + 1);

  await bed.database.sql("drop schema public cascade; create schema public");
  await run("psql", ["-qX", "-v", "ON_ERROR_STOP=1", "-f", dump, ownerUrl]);
  expect(await jobOf(sent)).toBeNull(); // the database has forgotten it
  const restarted = bed.openAnother();
  for (const ctx of [bed.ctx, restarted]) {
    for (const taskId of [sent, waiting]) await submitJob(ctx, taskId);
    // A result from before the restore is remembered for a second; no claim relies on it.
    await waitUntil("the worker has asked again", () => ctx.fence.isBehind(), {
      timeoutMs: 60_000,
    });
    await ctx.fence.keep();
    for (const taskId of [sent, waiting]) await submitJob(ctx, taskId);
  }
  expect(await countJobs()).toBe(jobsBefore + 1);

  const operate = (...args: string[]) =>
    operateOn(
      bed.database,
      {
        STORAGE_DIR: bed.storageDir,
        PUBLIC_URL: "http://127.0.0.1:8080",
        ...settings,
        RESTATE_INGRESS_URL: "http://127.0.0.1:9",
        ALLOW_LOOPBACK: "true",
        VENDOR_CALLBACK_SECRET: "0123456789abcdef0123456789abcdef",
      },
      ...["reconcile", "--point", point, ...args],
    );
  expect(await operate()).toMatchObject({
    code: 1,
    text: expect.stringContaining("database behind"),
  });
  expect(await restarted.fence.isBehind()).toBe(true); // to look changes nothing
  expect(await operate("--apply")).toMatchObject({ code: 0 });
  const next = bed.openAnother();
  for (const taskId of [sent, waiting]) await submitJob(next, taskId);
  expect(await countJobs()).toBe(jobsBefore + 2);
  expect(await jobOf(sent)).toBe(jobId);
  for (const taskId of [sent, waiting])
    await waitUntil(
      "the job is over",
      async () => (await pollJob(next, taskId)).kind === "succeeded",
      { timeoutMs: 60_000 },
    );
  await step(next.fence);
  expect(next.fence.wasBehind()).toBe(false);
});
