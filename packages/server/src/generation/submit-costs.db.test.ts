import { randomUUID } from "node:crypto";
import { type Receiver, type Reply, startReceiver } from "@zoetrope/testkit/start-receiver.ts";
import sharp from "sharp";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { claimOf } from "../../test/harness/claim-of.ts";
import { openTestBed, type TestBed } from "../../test/harness/test-context.ts";
import { hostileUsages } from "../../test/vendors/hostile-answers.ts";
import type { TaskId } from "../ids.ts";
import { abandonClaim } from "../tasks/abandon-claim.ts";
import { finishTask } from "../tasks/finish-task.ts";
import { findOpenTask } from "../tasks/open-task-queries.ts";
import { dropClaim } from "../tasks/reconcile-queries.ts";
import { claimSubmit, listSubmitsOf } from "../tasks/submit-queries.ts";
import { createTask } from "./create-task.ts";
import { pollJob } from "./poll/poll-job.ts";
import { pollVendor } from "./poll/poll-vendor.ts";
import { submitJob } from "./submit/submit-job.ts";
import { chargeOf } from "./submit-costs.ts";

let vendor: Receiver;
/** The job that Ark reports for every id. */
let job: object;
/** The response to a create at Ark; the usual one accepts. */
let created: Reply | null;
let image: string;
let bed: TestBed;
beforeAll(async () => {
  vendor = await startReceiver(({ method, path }) => answer(method, path));
  const grey = { width: 64, height: 64, channels: 3, background: "grey" } as const;
  image = (await sharp({ create: grey }).png().toBuffer()).toString("base64");
  const account = (kind: string) => ({
    name: kind,
    kind,
    apiKey: "none",
    baseUrl: `${vendor.url}/${kind}`,
  });
  const vendors = ["ark", "openai", "gemini"].map(account);
  bed = await openTestBed({ VENDORS: JSON.stringify(vendors) });
});
afterAll(async () => {
  await bed[Symbol.asyncDispose]();
  await vendor[Symbol.asyncDispose]();
});
beforeEach(() => {
  created = null;
  job = { status: "running" };
});

let jobs = 0;
let openaiUsage: unknown;
let geminiAnswer: object;
function answer(method: string, path: string): Reply {
  const ok = (body: object): Reply => ({ status: 200, body });
  if (path.startsWith("/openai")) return ok({ data: [{ b64_json: image }], usage: openaiUsage });
  if (path.startsWith("/gemini")) return ok(geminiAnswer);
  if (method === "POST") return created ?? ok({ id: `job-${++jobs}` });
  const { pathname, searchParams } = new URL(path, "http://ark");
  const asked = searchParams.getAll("filter.task_ids");
  if (asked.length > 0) return ok({ items: asked.map((id) => ({ id, ...job })) });
  return ok({ id: pathname.split("/").at(-1), ...job });
}

const tokens = { completion_tokens: 108_900, total_tokens: 108_900 };
const reported = { completion_tokens: "108900", total_tokens: "108900" };
const link = { video_url: "https://vendor.example/video.mp4" };
const succeeded = { status: "succeeded", content: link, usage: tokens };
const failed = { status: "failed", error: { code: "InternalServiceError", message: "no" } };

const arkModel = "dreamina-seedance-2-0-260128";
const arkCosts = (rate: string, failedJobs = "reported") => ({
  currency: "CNY",
  models: {
    [arkModel]: {
      failed: failedJobs,
      rates: {
        "*": [{ unit: "completion_tokens", rate, estimate: { perSecond: "20000" } }],
      },
    },
  },
});

/** Publishes the next version of a cost book, valid since some days ago. */
async function publish(vendorAccount: string, document: object, days = 30): Promise<void> {
  const { sql } = bed.database;
  await sql("insert into cost_books values ($1) on conflict do nothing", [vendorAccount]);
  await sql(
    `insert into cost_versions (vendor_account, version, document, valid_from, published_kind, published_by)
     select $1, 1 + count(*), $2, now() - $3 * interval '1 day', 'command', 'root'
     from cost_versions where vendor_account = $1`,
    [vendorAccount, JSON.stringify(document), days],
  );
  await bed.ctx.costs.refresh();
}

async function createdTask(model = "sd2"): Promise<TaskId> {
  const { id, ...account } = await bed.openAccount();
  const body = { model, inputs: { prompt: "a fox" } };
  return (await createTask(bed.ctx, { id, ...account }, body, null)).taskId;
}

async function submitted(model = "sd2"): Promise<TaskId> {
  const taskId = await createdTask(model);
  await submitJob(bed.ctx, taskId);
  return taskId;
}

const costsOf = async (taskId: TaskId) =>
  (await listSubmitsOf(bed.ctx.db, taskId)).map((row) => ({
    outcome: row.outcome,
    usage: row.usage,
    units: row.costUnits,
    micros: row.costMicros,
    currency: row.costCurrency,
    version: row.costVersion,
    source: row.costSource,
  }));

const none = { units: null, micros: null, currency: null, version: null, source: null };

test("without a cost book usage is stored as reported, by model, and nothing is counted", async () => {
  const taskId = await submitted();
  job = succeeded;
  expect(await pollJob(bed.ctx, taskId)).toEqual({ kind: "succeeded" });
  expect(await costsOf(taskId)).toEqual([{ outcome: "accepted", usage: reported, ...none }]);
  const [row] = await bed.database.sql(
    "select vendor_model as model, cost_facts as facts from submissions where task_id = $1",
    [taskId],
  );
  const facts = { key: "720p", seconds: 5, inputSeconds: 0, images: 0 };
  expect(row).toEqual({ model: arkModel, facts });
});

test("a submit counts its estimate as unknown until the vendor has reported", async () => {
  await publish("ark", arkCosts("4600"));
  const taskId = await submitted();
  const estimate = { units: { completion_tokens: "100000" }, micros: 460_000_000 };
  const by = { currency: "CNY", version: 1 };
  expect(await costsOf(taskId)).toEqual([
    { outcome: "accepted", usage: null, ...estimate, ...by, source: "unknown" },
  ]);
  job = succeeded;
  await pollJob(bed.ctx, taskId);
  const cost = { units: { completion_tokens: "108900" }, micros: 500_940_000 };
  expect(await costsOf(taskId)).toEqual([
    { outcome: "accepted", usage: reported, ...cost, ...by, source: "reported" },
  ]);
});

test("the poller stores what many jobs have used", async () => {
  const taskIds = await Promise.all(["sd2", "sd2", "sd2"].map((model) => submitted(model)));
  job = succeeded;
  await bed.database.sql("update open_tasks set next_step_at = now()");
  await bed.database.sql("delete from vendor_pace");
  await pollVendor(bed.ctx, "ark");
  for (const taskId of taskIds)
    expect(await costsOf(taskId)).toMatchObject([{ usage: reported, source: "reported" }]);
});

test.each([
  ["as reported", tokens, { usage: reported, micros: 500_940_000, source: "reported" }],
  ["unknown without a report", undefined, { usage: null, micros: null, source: "unknown" }],
])("a failed job is counted %s", async (_how, usage, cost) => {
  const taskId = await submitted();
  job = { ...failed, usage };
  expect(await pollJob(bed.ctx, taskId)).toEqual({ kind: "failed", code: "vendor_failed" });
  expect(await costsOf(taskId)).toMatchObject([cost]);
});

test("a corrected rate is a new version, which counts for submits after its time", async () => {
  await publish("ark", arkCosts("9999", "free"), -1); // from tomorrow
  await publish("ark", arkCosts("5000", "free"), 1);
  const taskId = await submitted();
  job = { ...failed, usage: tokens };
  await pollJob(bed.ctx, taskId);
  expect(await costsOf(taskId)).toMatchObject([
    { usage: reported, units: {}, micros: 0, version: 3, source: "free" },
  ]);
});

test("an odd report is unknown, and the task goes on as with a good one", async () => {
  for (const usage of hostileUsages) {
    const taskId = await submitted();
    job = { ...succeeded, usage };
    expect(await pollJob(bed.ctx, taskId), JSON.stringify(usage)).toEqual({ kind: "succeeded" });
    expect(await findOpenTask(bed.ctx.db, taskId)).toMatchObject({ resultUrl: link.video_url });
    expect(await costsOf(taskId)).toMatchObject([
      { usage: null, micros: 500_000_000, source: "estimated" },
    ]);
  }
});

test("a cost that cannot be computed delays no task, and its estimate stays", async () => {
  const taskId = await submitted();
  job = succeeded;
  const { sql } = bed.database;
  await sql("alter table submissions rename column cost_facts to unreadable");
  try {
    expect(await pollJob(bed.ctx, taskId)).toEqual({ kind: "succeeded" });
  } finally {
    await sql("alter table submissions rename column unreadable to cost_facts");
  }
  expect(await costsOf(taskId)).toMatchObject([
    { usage: reported, micros: 500_000_000, source: "unknown" },
  ]);
});

test("what was not accepted costs nothing", async () => {
  created = { status: 429, body: { error: { code: "ServerOverloaded", message: "later" } } };
  const taskId = await submitted();
  expect(await costsOf(taskId)).toEqual([{ outcome: "throttled", usage: null, ...none }]);
});

test("a claim that is given back before the vendor is called costs nothing", async () => {
  const taskId = await createdTask();
  const ark = bed.ctx.vendors.get("ark");
  const task = await findOpenTask(bed.ctx.db, taskId);
  if (ark === undefined || task === undefined) throw new Error("unreachable");
  const claimId = randomUUID();
  const charge = chargeOf(bed.ctx, ark, task.request);
  await claimSubmit(bed.ctx.pool, { ...claimOf(taskId), claimId, charge });
  expect(await costsOf(taskId)).toMatchObject([{ micros: 500_000_000, source: "unknown" }]);
  await abandonClaim(bed.ctx.pool, { taskId, claimId });
  expect(await costsOf(taskId)).toEqual([{ outcome: "unavailable", usage: null, ...none }]);
});

test("a submit whose answer was lost keeps its estimate as unknown, also when its task has failed", async () => {
  created = { status: 500, body: {} };
  const taskId = await submitted();
  const lost = { outcome: "unknown", micros: 500_000_000, source: "unknown" };
  expect(await costsOf(taskId)).toMatchObject([lost]);
  await finishTask(bed.ctx, taskId, { kind: "failed", code: "vendor_unconfirmed" });
  expect(await costsOf(taskId)).toMatchObject([lost]);
});

test("a task's second try counts too, beside the first", async () => {
  created = { status: 500, body: {} };
  const taskId = await submitted();
  await dropClaim(bed.ctx.db, taskId); // as a restore does when the first was lost
  created = null;
  await submitJob(bed.ctx, taskId);
  job = succeeded;
  await pollJob(bed.ctx, taskId);
  expect(await costsOf(taskId)).toMatchObject([
    { outcome: "unknown", micros: 500_000_000, source: "unknown" },
    { outcome: "accepted", micros: 544_500_000, source: "reported" },
  ]);
});

const imageRates = (unit: string, rate: string) => ({
  failed: "reported",
  rates: { "*": [{ unit, rate, estimate: { perImage: "1000" } }] },
});

test.each<[string, unknown, object]>([
  [
    "reported",
    { input_tokens: 9, input_tokens_details: { text_tokens: 9 }, output_tokens: 1_056 },
    {
      usage: { input_tokens: "9", "input_tokens_details.text_tokens": "9", output_tokens: "1056" },
      micros: 3_168_000,
    },
  ],
  ["estimated", undefined, { usage: null, micros: 3_000_000 }],
  ["estimated", { output_tokens: -5 }, { usage: null, micros: 3_000_000 }],
])("an image that comes in the response is %s from %j", async (source, usage, cost) => {
  openaiUsage = usage;
  const models = { "gpt-image-2": imageRates("output_tokens", "3000") };
  await publish("openai", { currency: "USD", models });
  const taskId = await submitted("image-pro-2");
  expect(await findOpenTask(bed.ctx.db, taskId)).toMatchObject({
    delivered: { contentType: "image/png" },
  });
  expect(await costsOf(taskId)).toMatchObject([{ outcome: "delivered", source, ...cost }]);
});

test("a response without an image is counted as a failed job", async () => {
  geminiAnswer = {
    candidates: [{ content: {}, finishReason: "IMAGE_SAFETY" }],
    usageMetadata: { promptTokenCount: 8, candidatesTokenCount: 1_120 },
  };
  const models = { "gemini-3.1-flash-image": imageRates("candidatesTokenCount", "100") };
  await publish("gemini", { currency: "USD", models });
  const taskId = await createdTask("image-plus-2");
  expect(await submitJob(bed.ctx, taskId)).toEqual({ kind: "failed", code: "output_blocked" });
  expect(await costsOf(taskId)).toMatchObject([
    {
      outcome: "refused",
      usage: { promptTokenCount: "8", candidatesTokenCount: "1120" },
      micros: 112_000,
      source: "reported",
    },
  ]);
});

test("a published cost is never changed and never removed, not even by the owner of the schema", async () => {
  await publish("ark", arkCosts("4600"));
  for (const statement of [
    "update cost_versions set document = '{}' where vendor_account = 'ark'",
    "delete from cost_versions where vendor_account = 'ark'",
  ])
    await expect(bed.database.sql(statement)).rejects.toThrow("never changes");
});

test("a version that is published reaches a process that watches", async () => {
  const other = bed.openAnother();
  await other.costs.watch();
  const before = other.costs.current().get("ark")?.length ?? 0;
  await publish("ark", arkCosts("4600"));
  const read = () => other.costs.current().get("ark");
  await vi.waitFor(() => expect(read()).toHaveLength(before + 1), { timeout: 60_000 });
});
