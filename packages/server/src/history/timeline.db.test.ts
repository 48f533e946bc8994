import assert from "node:assert";
import { afterAll, beforeAll, expect, test } from "vitest";
import { claimOf } from "../../test/harness/claim-of.ts";
import { endings } from "../../test/harness/endings.ts";
import { openTestBed, type TestBed } from "../../test/harness/test-context.ts";
import { buildApi } from "../api/build-api.ts";
import { createTask } from "../generation/create-task.ts";
import type { TaskId } from "../ids.ts";
import { finishTask } from "../tasks/finish-task.ts";
import { saveEnds } from "../tasks/queries.ts";
import { bindJob, claimSubmit, returnSubmit } from "../tasks/submit-queries.ts";
import { readTimeline } from "./read-timeline.ts";
import type { Timeline } from "./timeline-schema.ts";

let bed: TestBed;
let api: Awaited<ReturnType<typeof buildApi>>;
beforeAll(async () => {
  bed = await openTestBed();
  api = await buildApi(bed.ctx);
});
afterAll(async () => {
  await api.close();
  await bed[Symbol.asyncDispose]();
});

const body = {
  model: "sd2",
  inputs: { prompt: "a fox" },
  callBackUrl: "https://example.com/done",
};

async function read(key: string, taskId: string): Promise<Timeline & { http: number }> {
  const headers = { authorization: `Bearer ${key}` };
  const url = `/api/v1/jobs/timeline?taskId=${taskId}`;
  const response = await api.inject({ url, headers });
  return { http: response.statusCode, ...response.json<Timeline>() };
}

const eventsOf = ({ entries }: Timeline) =>
  entries.flatMap(({ event, state }) => (state === "working" ? event : []));

/** Refused once, then accepted under this job. */
async function submitted(taskId: TaskId, jobId: string): Promise<void> {
  const first = await claimSubmit(bed.ctx.pool, claimOf(taskId));
  if (first === undefined) throw new Error("it is claimed once");
  const refusal = { againMs: 0, outcome: "throttled" as const, detail: "secret of the vendor" };
  await returnSubmit(bed.ctx.pool, { taskId, ...first, ...refusal });
  // A vendor takes longer than a millisecond to refuse, which tells one submission from the next.
  const earlier =
    "update submissions set started_at = started_at - interval '1 s' where task_id = $1";
  await bed.database.sql(earlier, [taskId]);
  const second = await claimSubmit(bed.ctx.pool, claimOf(taskId));
  const job = { taskId, jobId, pollMs: 60_000, isAnswer: true };
  await bindJob(bed.ctx.pool, { ...job, ...(second ? { submittedAt: second.startedAt } : {}) });
}

test("a task's whole life is told, to its owner without the vendor's name and texts", async () => {
  const account = await bed.openAccount();
  const { taskId } = await createTask(bed.ctx, account, body, null);
  expect(eventsOf(await read(account.key, taskId))).toEqual(["accepted"]);
  await submitted(taskId, "job-1");
  const running = await read(account.key, taskId);
  expect(eventsOf(running)).toEqual([
    "accepted",
    "submit",
    "submit",
    "vendorAccepted",
    "vendorFinished",
  ]);
  expect(running.entries.at(-1)).toMatchObject({ event: "vendorFinished", to: null });
  const end = { taskId, resultUrl: "https://example.com/a", failureCode: null, detail: null };
  await saveEnds(bed.ctx.pool, [end]);
  assert(endings.COMPLETED.kind === "completed");
  const output = endings.COMPLETED.output.map((media) => ({ ...media, storedAt: Date.now() }));
  await finishTask(bed.ctx, taskId, { kind: "completed", output });

  const over = await read(account.key, taskId);
  expect(eventsOf(over)).toEqual([
    "accepted",
    "submit",
    "submit",
    "vendorAccepted",
    "vendorFinished",
    "stored",
    "finished",
  ]);
  expect(over.entries.filter(({ event }) => event === "submit")).toContainEqual(
    expect.objectContaining({ state: "working", outcome: "throttled" }),
  );
  expect(over.entries.at(-1)).toMatchObject({ event: "delivery", state: "waiting", to: null });
  expect(JSON.stringify(over)).not.toMatch(/job-1|secret of the vendor|vendorAccount/);
  const forOperator = await readTimeline(bed.ctx, taskId, { forOperator: true });
  expect(JSON.stringify(forOperator)).toMatch(/job-1/);
  expect(JSON.stringify(forOperator)).toMatch(/secret of the vendor/);
});

test("the segments of an upscale are told also when their rows are gone", async () => {
  const account = await bed.openAccount();
  const { taskId } = await createTask(bed.ctx, account, body, null);
  await submitted(taskId, "job-2");
  await bed.database.sql(
    `with u as (insert into upscales (task_id, account_id, source_key, owns_source, plan)
                values ($1, $2, 'k', false, '{}') returning task_id)
     insert into upscale_segments (task_id, number, plan, frames, started_at, ended_at)
     select task_id, n, '{}', 1, now(), now() from u, generate_series(0, 149) n`,
    [taskId, account.id],
  );
  await finishTask(bed.ctx, taskId, endings.FAILED);
  await bed.database.sql("delete from upscales where task_id = $1", [taskId]);
  const { entries } = await read(account.key, taskId);
  const upscaled = entries.find(({ event, state }) => event === "upscaled" && state === "working");
  expect(upscaled?.segmentCount).toBe(150);
  expect(upscaled?.segments).toHaveLength(100);
});
