import { createHash } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { waitUntil } from "@zoetrope/dev/services/wait-until.ts";
import { controlSandbox } from "@zoetrope/testkit/sandbox-control.ts";
import { makeScratch, type Scratch } from "@zoetrope/testkit/services/scratch.ts";
import { type Receiver, startReceiver } from "@zoetrope/testkit/start-receiver.ts";
import { type Sandbox, startSandbox } from "@zoetrope/testkit/start-sandbox.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestBed, type TestBed } from "../../../test/harness/test-context.ts";
import type { Caller } from "../../accounts/queries.ts";
import { openConnections } from "../../db/connections.ts";

import { createTask } from "../../generation/create-task.ts";
import { pollJob } from "../../generation/poll/poll-job.ts";
import { endUserOf } from "../../generation/submit/call-vendor.ts";
import { submitJob } from "../../generation/submit/submit-job.ts";
import type { TaskId } from "../../ids.ts";
import { newObjectKey } from "../../media/storage/storage.ts";
import { openVendorAccounts } from "../../routing/vendor-accounts-setting.ts";
import { findOpenTask } from "../../tasks/open-task-queries.ts";
import { listServiceProcesses } from "../../tasks/reconcile-queries.ts";
import { listCharges } from "../../tasks/submit-queries.ts";
import type { Difference, ReconcileContext } from "./difference.ts";
import { findDifferences } from "./reconcile.ts";

/** The world went on after the point: vendors, engine and storage know what this database does not. */

let sandbox: Sandbox;
let engine: Receiver; // stands where the engine's admin API would
let invocations: object[] = [];
let bed: TestBed;
let scratch: Scratch;
beforeAll(async () => {
  sandbox = await startSandbox({ SANDBOX_QUEUED_MS: "20", SANDBOX_RUNNING_MS: "20" });
  engine = await startReceiver(({ path }) =>
    path === "/query" ? { status: 200, body: { rows: invocations } } : 200,
  );
  const vendors = [
    { name: "ark", kind: "ark", baseUrl: `${sandbox.url}/api/v3`, apiKey: "sandbox-ark-key" },
    {
      name: "horse",
      kind: "dashscope",
      baseUrl: `${sandbox.url}/dashscope/api/v1`,
      apiKey: "sandbox-dashscope-key",
      namesImages: true,
    },
    {
      name: "images",
      kind: "openai",
      baseUrl: `${sandbox.url}/openai/v1`,
      apiKey: "sandbox-openai-key",
    },
  ];
  bed = await openTestBed({
    VENDORS: JSON.stringify(vendors),
    RESTATE_ADMIN_URL: engine.url,
    WORKER_URL: "http://127.0.0.1:9",
  });
  scratch = await makeScratch("reconcile");
});
afterAll(async () => {
  await bed[Symbol.asyncDispose]();
  await engine[Symbol.asyncDispose]();
  await sandbox[Symbol.asyncDispose]();
  await scratch.remove();
});

const ctx = (): ReconcileContext => bed.ctx;
const point = () => new Date(Date.now() - 20_000);

/** The differences about something. A sandbox that a busy machine keeps from answering is asked again. */
async function about(id: string): Promise<Difference[]> {
  const all = await findDifferences(ctx(), point());
  if (all.some(({ kind }) => kind === "vendor unavailable")) return about(id);
  return all.filter((one) => one.id.includes(id) || one.detail.includes(id));
}

async function apply(id: string): Promise<void> {
  for (const one of await about(id)) await one.apply?.();
}

/** A task that was created a minute ago and, says the database, never submitted. */
async function unsubmitted(account: Caller, model = "sd2", prompt = "a fox"): Promise<TaskId> {
  const { taskId } = await createTask(bed.ctx, account, { model, inputs: { prompt } }, null);
  await bed.database.sql(
    "update tasks set created_at = created_at - interval '60 s' where id = $1",
    [taskId],
  );
  const age =
    "update open_tasks set deadline_at = deadline_at - interval '60 s' where task_id = $1";
  await bed.database.sql(age, [taskId]);
  return taskId;
}

/** Submits a task as a worker did after the point of the restore: the vendor has a job that no row names. */
async function submitUnseen(taskId: TaskId, vendorAccount = "ark"): Promise<string> {
  const task = await findOpenTask(bed.ctx.db, taskId);
  const vendor = bed.ctx.vendors.get(vendorAccount)?.vendor;
  if (task === undefined || vendor === undefined) throw new Error("unreachable");
  const submitted = await vendor.submit({
    request: task.request,
    callbackUrl: "http://127.0.0.1:9/",
    isMarked: false,
    secondsMax: Math.ceil((task.deadlineAt.getTime() - Date.now()) / 1000),
    endUser: endUserOf(task.accountId),
    linkOf: () => "",
    imageOf: () => Promise.reject(new Error("no files")),
  });
  if (submitted.kind !== "accepted") throw new Error(JSON.stringify(submitted));
  return submitted.jobId;
}

const jobOf = async (taskId: TaskId) => (await findOpenTask(bed.ctx.db, taskId))?.vendorJobId;
const kindsOf = (differences: Difference[]) => differences.map(({ kind }) => kind);

test("a job that was submitted after the point is connected with its task, which is not submitted again", async () => {
  const taskId = await unsubmitted(await bed.openAccount());
  const jobId = await submitUnseen(taskId);
  expect(kindsOf(await about(taskId))).toEqual(["job found"]);
  expect(await jobOf(taskId)).toBeNull(); // nothing is changed by looking
  await apply(taskId);
  expect(await jobOf(taskId)).toBe(jobId);
  expect(await submitJob(bed.ctx, taskId)).toEqual({ kind: "waiting" });
  expect(await about(taskId)).toEqual([]);
  expect(await about(jobId)).toEqual([]);
  expect(await listCharges(bed.ctx.db, [taskId])).toMatchObject([
    { model: "dreamina-seedance-2-0-260128", facts: { key: "720p" } }, // it is charged like any other
  ]);
});

test("a task that no vendor has a job for is left as it is, and is submitted once", async () => {
  const account = await bed.openAccount();
  const taskId = await unsubmitted(account, "sd2", "only once");
  expect(await about(taskId)).toEqual([]);
  await apply(taskId);
  await submitJob(bed.ctx, taskId);
  expect(await sandbox.creates("only once")).toHaveLength(1);
});

test("between two jobs nothing is guessed: the task is never submitted again, and neither job is cancelled", async () => {
  const taskId = await unsubmitted(await bed.openAccount(), "sd2", "in doubt [sandbox:hang]");
  const jobs = [await submitUnseen(taskId), await submitUnseen(taskId)];
  expect(kindsOf(await about(taskId))).toEqual(["job in doubt"]);
  await apply(taskId);
  expect(await submitJob(bed.ctx, taskId)).toEqual({ kind: "waiting" });
  expect(await sandbox.creates("in doubt")).toHaveLength(2);
  expect(await about(taskId)).toEqual([]); // a second run finds it settled
  for (const jobId of jobs) expect(await about(jobId)).toEqual([]);
  expect(await pollJob(bed.ctx, taskId)).toEqual({ kind: "waiting" }); // for the vendor's callback
  const age =
    "update open_tasks set submit_started_at = now() - interval '61 s' where task_id = $1";
  await bed.database.sql(age, [taskId]);
  expect(await pollJob(bed.ctx, taskId)).toEqual({ kind: "failed", code: "vendor_unconfirmed" });
});

test("a job of a task that is gone is listed; at work and of a known account it is cancelled", async () => {
  const account = await bed.openAccount();
  const taskId = await unsubmitted(account, "sd2", "orphan [sandbox:hang]");
  const jobId = await submitUnseen(taskId);
  await bed.database.sql("delete from open_tasks where task_id = $1", [taskId]);
  const [listed] = await about(jobId);
  expect(listed).toMatchObject({ kind: "job without a task", action: "cancel it" });
  expect(listed?.detail).toContain(account.id);
  await apply(jobId);
});

test("while a vendor that shows no owner is at work nothing goes on; then the prompt says whose the job is", async () => {
  const prompt = "a hare at dawn [sandbox:hang]";
  const taskId = await unsubmitted(await bed.openAccount(), "happyhorse", prompt);
  const jobId = await submitUnseen(taskId, "horse");
  const [undecided] = await about(taskId);
  expect(undecided).toMatchObject({ kind: "job undecided", apply: null, isBlocking: true });
  await controlSandbox(sandbox.control).finish(jobId, "succeeded");
  const isFound = async () => kindsOf(await about(taskId)).includes("job found");
  await waitUntil("the job shows its prompt", isFound, { timeoutMs: 120_000 });
  await apply(taskId);
  expect(await jobOf(taskId)).toBe(jobId);
});

test("a task that a vendor without a list may have made is not made again, and costs nothing", async () => {
  const taskId = await unsubmitted(await bed.openAccount(), "image-pro-2");
  expect(kindsOf(await about(taskId))).toEqual(["submit unconfirmed"]);
  await apply(taskId);
  expect(await about(taskId)).toEqual([]);
  expect(await pollJob(bed.ctx, taskId)).toEqual({ kind: "waiting" });
  expect(await pollJob(bed.ctx, taskId)).toEqual({ kind: "failed", code: "vendor_unconfirmed" });
});

test("a vendor that cannot be listed stops everything", async () => {
  const ark = bed.ctx.vendors.get("ark");
  if (ark?.vendor.jobs == null) throw new Error("unreachable");
  const jobs = { ...ark.vendor.jobs, listSince: async () => "unavailable" as const };
  const vendors = openVendorAccounts([{ ...ark, vendor: { ...ark.vendor, jobs } }]);
  const found = await findDifferences({ ...ctx(), vendors }, point());
  const blocking = { kind: "vendor unavailable", id: "ark", apply: null, isBlocking: true };
  expect(found).toContainEqual(expect.objectContaining(blocking));
});

test("a task with a job gets time to be collected, however long the database was away", async () => {
  const taskId = await unsubmitted(await bed.openAccount());
  await submitUnseen(taskId);
  await apply(taskId);
  const late = "update open_tasks set deadline_at = now() - interval '1 h' where task_id = $1";
  await bed.database.sql(late, [taskId]);
  expect(kindsOf(await about(taskId))).toEqual(["deadline near"]);
  await apply(taskId);
  const minutes =
    "select extract(epoch from deadline_at - now()) / 60 as left from open_tasks where task_id = $1";
  const [row] = await bed.database.sql<{ left: string }>(minutes, [taskId]);
  expect(Number(row?.left)).toBeGreaterThan(9);
});

/** Stores a file that no row names. */
async function store(): Promise<string> {
  const key = newObjectKey("mp4");
  const path = join(scratch.path, key);
  await writeFile(path, "unrecorded");
  const sha256 = createHash("sha256").update("unrecorded").digest("hex");
  await bed.ctx.storage.putFile(key, path, { contentType: "video/mp4", sizeBytes: 10, sha256 });
  return key;
}

/** An open task whose video is being upscaled: one segment, done if it has a key. */
async function upscaling(sourceKey: string, segmentKey: string | null, by = "us") {
  const taskId = await unsubmitted(await bed.openAccount());
  const values = [taskId, sourceKey, JSON.stringify({ by })];
  await bed.database.sql(
    `insert into upscales (task_id, account_id, source_key, owns_source, plan)
     select id, account_id, $2, true, $3 from tasks where id = $1`,
    values,
  );
  await bed.database.sql(
    "insert into upscale_segments (task_id, number, plan, frames, object_key) values ($1, 0, '{}', 1, $2)",
    [taskId, segmentKey],
  );
  return taskId;
}

const segmentOf = (taskId: TaskId) =>
  bed.database.sql(
    `select object_key as "key", submit_started_at is not null as "isSubmitted" from upscale_segments where task_id = $1`,
    [taskId],
  );

test("a segment that is no longer stored is made again; without its source the task is given up", async () => {
  const kept = await upscaling(await store(), await store());
  expect(await about(kept)).toEqual([]);
  const cut = await upscaling(await store(), newObjectKey("mp4"));
  expect(kindsOf(await about(cut))).toEqual(["file missing"]);
  await apply(cut);
  expect(await segmentOf(cut)).toEqual([{ key: null, isSubmitted: false }]);
  const gone = await upscaling(newObjectKey("mp4"), null);
  expect(kindsOf(await about(gone))).toEqual(["file missing"]);
  await apply(gone);
  expect(await about(gone)).toEqual([]);
  expect(await findOpenTask(bed.ctx.db, gone)).toMatchObject({ failureCode: "task_broken" });
});

test("a video that a vendor may have upscaled is not sent to it again", async () => {
  const taskId = await upscaling(await store(), null, "vendor");
  expect(kindsOf(await about(taskId))).toEqual(["submit unconfirmed"]);
  await apply(taskId);
  expect(await segmentOf(taskId)).toEqual([{ key: null, isSubmitted: true }]);
  expect(await about(taskId)).toEqual([]);
});

test("a file that was stored after the point is recorded, and kept as long as an output", async () => {
  const key = await store();
  expect(kindsOf(await about(key))).toEqual(["file without a record"]);
  await apply(key);
  expect(await about(key)).toEqual([]);
  const days =
    "select extract(epoch from expires_at - now()) / 86400 as left from media_objects where key = $1";
  const [row] = await bed.database.sql<{ left: string }>(days, [key]);
  expect(Math.round(Number(row?.left))).toBe(bed.ctx.config.retention.mediaDays);
});

test("what the engine had begun before the restore is ended, known or not; an engine that does not answer stops everything", async () => {
  const taskId = await unsubmitted(await bed.openAccount());
  invocations = [
    { id: "inv_known", service: "generation", key: taskId, handler: "submit" },
    { id: "inv_unknown", service: "generation", key: "gone", handler: "poll" },
  ];
  const [known] = await about("inv_known");
  expect(known).toMatchObject({ kind: "engine work" });
  expect((await about("inv_unknown"))[0]?.detail).toContain("not open in the database");
  await apply("inv_");
  const killed = engine.received.filter(({ method }) => method === "PATCH").map(({ path }) => path);
  expect(killed.toSorted()).toEqual(
    ["inv_known", "inv_unknown"].map((id) => `/invocations/${id}/kill`),
  );
  invocations = [];
  const { config } = bed.ctx;
  const away = { ...config, engine: { ...config.engine, adminUrls: ["http://127.0.0.1:9"] } };
  const stopped = await findDifferences({ ...ctx(), config: away }, point());
  const blocking = { kind: "engine unavailable", isBlocking: true };
  expect(stopped).toContainEqual(expect.objectContaining(blocking));
});

test("processes of the service that still run are seen", async () => {
  expect(await listServiceProcesses(bed.ctx.db)).toEqual([]);
  const worker = openConnections(bed.database.serviceUrl, 1, "zoetrope worker");
  await worker.query("select 1");
  expect(await listServiceProcesses(bed.ctx.db)).toEqual(["zoetrope worker"]);
  await worker.end();
});
