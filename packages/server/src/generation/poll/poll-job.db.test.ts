import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { claimOf } from "../../../test/harness/claim-of.ts";
import { openTestBed, type TestBed } from "../../../test/harness/test-context.ts";
import type { Caller } from "../../accounts/queries.ts";
import type { TaskId } from "../../ids.ts";
import { finishTask } from "../../tasks/finish-task.ts";
import { findOpenTask } from "../../tasks/open-task-queries.ts";
import { bindJob, claimSubmit, recordSubmission } from "../../tasks/submit-queries.ts";
import { createTask } from "../create-task.ts";
import { endUserOf } from "../submit/call-vendor.ts";
import { pollJob } from "./poll-job.ts";

/** A vendor that lists the given jobs, as Ark would, and reports every job as running. */
let jobs: { id: string; safety_identifier: string; created_at: number }[] = [];
/** Called while the vendor is asked for its list. */
let whileListing = async () => {};
let vendor: Server;
let bed: TestBed;
beforeAll(async () => {
  vendor = createServer(async (request, response) => {
    const [path = "", query] = (request.url ?? "").split("?");
    if (query !== undefined) await whileListing();
    const items = jobs.map((job) => ({ ...job, status: "running" }));
    const body =
      query === undefined ? { id: path.split("/").at(-1), status: "running" } : { items };
    response.end(JSON.stringify(body));
  });
  vendor.listen(0, "127.0.0.1");
  await once(vendor, "listening");
  const { port } = vendor.address() as AddressInfo;
  const ark = { name: "ark", kind: "ark", baseUrl: `http://127.0.0.1:${port}`, apiKey: "none" };
  bed = await openTestBed({ VENDORS: JSON.stringify([ark]) });
});
afterAll(async () => {
  await bed[Symbol.asyncDispose]();
  vendor.closeAllConnections();
  vendor.close();
});

/** A task whose submit is claimed. */
async function submitting(account: Caller) {
  const body = { model: "sd2", inputs: { prompt: "a fox" } };
  const { taskId } = await createTask(bed.ctx, account, body, null);
  const claim = await claimSubmit(bed.ctx.pool, claimOf(taskId));
  if (claim === undefined) throw new Error("unreachable");
  return { taskId, startedAt: claim.startedAt };
}

const jobOf = async (taskId: TaskId) => (await findOpenTask(bed.ctx.db, taskId))?.vendorJobId;

function vendorHas(account: Caller, ...ids: string[]): void {
  const created_at = Math.floor(Date.now() / 1000);
  jobs = ids.map((id) => ({ id, safety_identifier: endUserOf(account.id), created_at }));
}

test("a submit whose answer was lost takes the one job that can be its own", async () => {
  const account = await bed.openAccount();
  const lost = await submitting(account);
  vendorHas(account, "its-job");
  expect(await pollJob(bed.ctx, lost.taskId)).toEqual({ kind: "waiting" });
  expect(await jobOf(lost.taskId)).toBe("its-job");
});

test("a task that the vendor refused never takes the job of another whose answer was lost", async () => {
  const account = await bed.openAccount();
  const refused = await submitting(account);
  const lost = await submitting(account);
  await recordSubmission(bed.ctx.db, { ...refused, outcome: "refused", detail: "no" });
  vendorHas(account, "job-of-the-lost");
  await pollJob(bed.ctx, refused.taskId);
  expect(await jobOf(refused.taskId)).toBeNull();
  await pollJob(bed.ctx, lost.taskId);
  expect(await jobOf(lost.taskId)).toBe("job-of-the-lost");
});

test("between two lost submits, or two free jobs, nothing is guessed", async () => {
  const account = await bed.openAccount();
  const [first, second] = [await submitting(account), await submitting(account)];
  vendorHas(account, "whose");
  for (const { taskId } of [first, second]) await pollJob(bed.ctx, taskId);
  expect([await jobOf(first.taskId), await jobOf(second.taskId)]).toEqual([null, null]);
  const other = await bed.openAccount();
  const alone = await submitting(other);
  vendorHas(other, "first", "second");
  await pollJob(bed.ctx, alone.taskId);
  expect(await jobOf(alone.taskId)).toBeNull();
});

test("a job that has a task already is nobody else's, and binding it again is no error", async () => {
  const account = await bed.openAccount();
  const [first, second] = [await submitting(account), await submitting(account)];
  expect(await bindJob(bed.ctx.pool, { taskId: first.taskId, jobId: "one job", pollMs: 1 })).toBe(
    true,
  );
  expect(await bindJob(bed.ctx.pool, { taskId: second.taskId, jobId: "one job", pollMs: 1 })).toBe(
    false,
  );
  expect(await bindJob(bed.ctx.pool, { taskId: first.taskId, jobId: "one job", pollMs: 1 })).toBe(
    true,
  );
});

test("a lost submit never takes the job of a task that came and went during the vendor's list", async () => {
  const account = await bed.openAccount();
  const lost = await submitting(account);
  whileListing = async () => {
    const other = await submitting(account);
    vendorHas(account, "job-of-the-other");
    await bindJob(bed.ctx.pool, { taskId: other.taskId, jobId: "job-of-the-other", pollMs: 1 });
    await finishTask(bed.ctx, other.taskId, { kind: "failed", code: "vendor_failed" });
  };
  await pollJob(bed.ctx, lost.taskId);
  whileListing = async () => {};
  expect(await jobOf(lost.taskId)).toBeNull();
});

const age = "update open_tasks set submit_started_at = now() - interval '61 s' where task_id = $1";

test("after an outage of the database a submit is not given up before its worker can write the answer", async () => {
  const account = await bed.openAccount();
  const { taskId } = await submitting(account);
  await submitting(account); // two at once: the vendor's list explains neither
  vendorHas(account, "late-answer", "another");
  await bed.database.sql(age, [taskId]);
  expect(await pollJob(bed.ctx, taskId)).toEqual({ kind: "waiting" });
  const wait =
    "select next_step_at > now() + interval '20 s' as is_long from open_tasks where task_id = $1";
  expect(await bed.database.sql(wait, [taskId])).toEqual([{ is_long: true }]);
  await bindJob(bed.ctx.pool, { taskId, jobId: "late-answer", pollMs: 1_000, isAnswer: true });
  expect(await pollJob(bed.ctx, taskId)).toEqual({ kind: "waiting" });
});

test("a submit that nobody can explain is given up by the database's clock", async () => {
  const account = await bed.openAccount();
  const { taskId } = await submitting(account);
  vendorHas(account);
  expect(await pollJob(bed.ctx, taskId)).toEqual({ kind: "waiting" });
  await bed.database.sql(age, [taskId]);
  expect(await pollJob(bed.ctx, taskId)).toEqual({ kind: "failed", code: "vendor_unconfirmed" });
});
