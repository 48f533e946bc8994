import { createHash } from "node:crypto";
import { once } from "node:events";
import { rename, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { waitUntil } from "@zoetrope/dev/services/wait-until.ts";
import sharp from "sharp";
import { afterEach, assert, beforeEach, expect, test } from "vitest";
import { openTestBed, type TestBed } from "../../../test/harness/test-context.ts";
import { createKey } from "../../accounts/create-key.ts";
import { createTestAccount } from "../../accounts/create-test-account.ts";
import { grantCredits } from "../../credits/ledger.ts";
import type { TaskId } from "../../ids.ts";
import { aigcInXmp } from "../../labels/xmp.ts";
import { findOpenTask } from "../../tasks/open-task-queries.ts";
import { claimSubmit, keepSubmit, listSubmitsOf } from "../../tasks/submit-queries.ts";
import { createTask } from "../create-task.ts";
import { pollJob } from "../poll/poll-job.ts";
import { submitJob } from "./submit-job.ts";

/** The responses of a vendor account to the next creates; the last one is repeated. */
type Answers = { status: number; body: unknown; headers?: Record<string, string> }[];
const accepted: Answers[number] = { status: 200, body: { id: "job" } };
const overloaded = { status: 429, body: { error: { code: "ServerOverloaded", message: "later" } } };
const comeLater = { ...overloaded, headers: { "retry-after": "60" } };
const overdue = { status: 403, body: { error: { code: "AccountOverdueError", message: "pay" } } };
const broken = { status: 500, body: { error: { code: "InternalServiceError", message: "" } } };
const blocked = {
  status: 400,
  body: { error: { code: "InputTextSensitiveContentDetected", message: "no" } },
};

let answers: Record<string, Answers>;
let called: string[];
let server: Server;
let bed: TestBed;
beforeEach(async () => {
  answers = {};
  called = [];
  server = createServer((request, response) => {
    const name = request.url?.split("/")[1] ?? "";
    request.resume();
    if (request.method === "POST") called.push(name);
    const line = answers[name] ?? [accepted];
    const answer = (line.length > 1 ? line.shift() : line[0]) ?? accepted;
    response.writeHead(answer.status, { "content-type": "application/json", ...answer.headers });
    response.end(JSON.stringify(answer.body));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const vendorAccount = (name: string, kind: string, isTest = false) => ({
    name,
    kind,
    isTest,
    apiKey: "none",
    baseUrl: `http://127.0.0.1:${port}/${name}`,
  });
  const vendors = [
    vendorAccount("first", "ark"),
    vendorAccount("second", "ark"),
    vendorAccount("images", "openai"),
    vendorAccount("play", "ark", true),
  ];
  bed = await openTestBed({ VENDORS: JSON.stringify(vendors) });
});
afterEach(async () => {
  await bed[Symbol.asyncDispose]();
  server.closeAllConnections();
  server.close();
});

async function createdTask(model: "sd2" | "image-pro-2" = "sd2") {
  const account = await bed.openAccount();
  const body = { model, inputs: { prompt: "a fox" } };
  return (await createTask(bed.ctx, account, body, null)).taskId;
}

async function imageAnswer() {
  const bytes = await sharp({ create: { width: 48, height: 32, channels: 3, background: "red" } })
    .png()
    .toBuffer();
  return { status: 200, body: { data: [{ b64_json: bytes.toString("base64") }] } };
}

const attemptsOf = async (taskId: TaskId) =>
  (await listSubmitsOf(bed.ctx.db, taskId)).map(({ vendorAccount, outcome }) =>
    [vendorAccount, outcome].join(" "),
  );

test("the first vendor account takes a task, and nobody else is asked", async () => {
  const taskId = await createdTask();
  expect(await submitJob(bed.ctx, taskId)).toEqual({ kind: "waiting" });
  expect(called).toEqual(["first"]);
  expect(await findOpenTask(bed.ctx.db, taskId)).toMatchObject({
    vendorAccount: "first",
    vendorJobId: "job",
  });
});

test.each([
  ["throttled", overloaded, "throttled"],
  ["refused for its own balance", overdue, "refused"],
])(
  "a submit that is %s moves on to the next vendor account, and both attempts are on record",
  async (_, answer, outcome) => {
    answers = { first: [answer] };
    const taskId = await createdTask();
    await submitJob(bed.ctx, taskId);
    expect(called).toEqual(["first", "second"]);
    expect(await attemptsOf(taskId)).toEqual([`first ${outcome}`, "second accepted"]);
    expect((await findOpenTask(bed.ctx.db, taskId))?.vendorAccount).toBe("second");
  },
);

test("a submit whose answer was lost never moves on and is never repeated", async () => {
  answers = { first: [broken] };
  const taskId = await createdTask();
  for (let n = 0; n < 3; n++) expect(await submitJob(bed.ctx, taskId)).toEqual({ kind: "waiting" });
  expect(called).toEqual(["first"]);
  expect(await attemptsOf(taskId)).toEqual(["first unknown"]);
});

test("bad input is not carried from vendor to vendor", async () => {
  answers = { first: [blocked] };
  const taskId = await createdTask();
  expect(await submitJob(bed.ctx, taskId)).toEqual({ kind: "failed", code: "input_blocked" });
  expect(called).toEqual(["first"]);
});

test("a task that nobody takes now is submitted again later; one that nobody can take fails", async () => {
  answers = { first: [overloaded], second: [overdue] };
  const taskId = await createdTask();
  expect(await submitJob(bed.ctx, taskId)).toEqual({ kind: "waiting" });
  answers = {};
  await submitJob(bed.ctx, taskId);
  expect(called).toEqual(["first", "second", "first"]);
  answers = { first: [overdue], second: [overdue] };
  const hopeless = await submitJob(bed.ctx, await createdTask());
  expect(hopeless).toEqual({ kind: "failed", code: "vendor_unavailable" });
});

test("a sick vendor account is passed by after five failures", async () => {
  answers = { first: [overdue] };
  for (let n = 0; n < 5; n++) await submitJob(bed.ctx, await createdTask());
  called = [];
  await submitJob(bed.ctx, await createdTask());
  expect(called).toEqual(["second"]);
});

test("a task of a test-mode key runs on test vendor accounts only, whatever happens there", async () => {
  const { id } = await bed.openAccount();
  const { accountId } = await createTestAccount(bed.ctx, id);
  await grantCredits(bed.ctx.pool, { accountId, credits: 1_000, note: "test credits" });
  const { keyId } = await createKey(bed.ctx.db, { accountId, name: "test", mode: "test" });
  const limits = { priceBook: null, models: null, requestsPerMinuteMax: null, scopes: null };
  const caller = { id: accountId, keyId, ...limits };
  answers = { play: [overloaded, accepted] };
  const body = { model: "sd2", inputs: { prompt: "a fox" } };
  const { taskId } = await createTask(bed.ctx, caller, body, null);
  await submitJob(bed.ctx, taskId);
  await submitJob(bed.ctx, taskId);
  expect(called).toEqual(["play", "play"]);
});

test("an image that comes with the answer is measured, labelled and stored with its poster, and the task is PROCESSING before", async () => {
  answers = { images: [await imageAnswer()] };
  const taskId = await createdTask("image-pro-2");
  const submitted = await submitJob(bed.ctx, taskId);
  expect(submitted).toMatchObject({
    kind: "delivered",
    media: { width: 48, height: 32, contentType: "image/png", labels: ["aigc"] },
  });
  assert(submitted.kind === "delivered");
  const { key, sha256, poster } = submitted.media;
  for (const stored of [key, poster?.key ?? ""]) {
    const bytes = await buffer((await bed.ctx.storage.openRead(stored)) ?? Readable.from([]));
    if (stored === key) expect(createHash("sha256").update(bytes).digest("hex")).toBe(sha256);
    const packet = (await sharp(bytes).metadata()).xmp?.toString() ?? "";
    const label = { Label: "1", ContentProducer: "Zoetrope", ProduceID: taskId };
    expect(JSON.parse(aigcInXmp(packet) ?? "null")).toMatchObject(label);
  }
  const [row] = await bed.database.sql("select status from tasks where id = $1", [taskId]);
  expect(row).toEqual({ status: "PROCESSING" });
  expect(await attemptsOf(taskId)).toEqual(["images delivered"]);
});

test("an image that was delivered is in the row: the next step completes the task from it", async () => {
  answers = { images: [await imageAnswer()] };
  const taskId = await createdTask("image-pro-2");
  const submitted = await submitJob(bed.ctx, taskId);
  expect(submitted).toMatchObject({ kind: "delivered", media: { width: 48 } });
  // As when the first submit died before the engine recorded it.
  expect(await submitJob(bed.ctx, taskId)).toEqual(submitted);
  expect(await pollJob(bed.ctx, taskId)).toEqual(submitted);
  expect(called).toEqual(["images"]);
});

test("an image that cannot be stored is kept and stored when storage is back", async () => {
  answers = { images: [await imageAnswer()] };
  const { storageDir: root } = bed;
  const taskId = await createdTask("image-pro-2");
  await bed.ctx.fence.keep(); // as at every start of a worker
  await rename(root, `${root}-away`);
  await writeFile(root, "no folder");
  const submitting = submitJob(bed.ctx, taskId);
  // Longer than the pauses of a few tries.
  const objects = () => bed.database.sql("select key from media_objects");
  const isTried = async () => (await objects()).length > 2;
  await waitUntil("storing was tried again", isTried, { timeoutMs: 300_000 });
  await rm(root);
  await rename(`${root}-away`, root);
  expect(await submitting).toMatchObject({ kind: "delivered", media: { width: 48 } });
  expect(called).toEqual(["images"]);
});

test("a direct submit is given up only when its worker was silent twice", async () => {
  const taskId = await createdTask("image-pro-2");
  const vendorAccount = "images";
  const claim = await claimSubmit(bed.ctx.pool, {
    taskId,
    vendorAccount,
    graceMs: 1,
    isAtWork: true,
    known: 0,
  });
  assert(claim !== undefined);
  expect(await pollJob(bed.ctx, taskId)).toEqual({ kind: "waiting" });
  await keepSubmit(bed.ctx.db, { taskId, ...claim, graceMs: 1 });
  expect(await pollJob(bed.ctx, taskId)).toEqual({ kind: "waiting" });
  const lost = { kind: "failed", code: "vendor_unconfirmed" };
  expect(await pollJob(bed.ctx, taskId)).toEqual(lost);
});

test("a vendor's Retry-After holds for all tasks and processes: nobody asks it before, and no submit is recorded", async () => {
  answers = { first: [comeLater], second: [comeLater] };
  const [first, second] = [await createdTask(), await createdTask()];
  await submitJob(bed.ctx, first);
  called = [];
  expect(await submitJob(bed.openAnother(), second)).toEqual({ kind: "waiting" });
  expect(await submitJob(bed.openAnother(), first)).toEqual({ kind: "waiting" });
  expect(called).toEqual([]);
  expect(await attemptsOf(second)).toEqual([]);
  const rows = await bed.database.sql(
    "select 1 from open_tasks where next_step_at > now() + interval '50 seconds'",
  );
  expect(rows).toHaveLength(2);
});

test("while one vendor account is throttled the next one of the route is asked", async () => {
  answers = { first: [comeLater] };
  await submitJob(bed.ctx, await createdTask());
  called = [];
  await submitJob(bed.ctx, await createdTask());
  expect(called).toEqual(["second"]);
});

test("when the wait is over one task finds out how the vendor is, and the others follow its answer", async () => {
  answers = { first: [comeLater], second: [comeLater] };
  const first = await createdTask();
  const others: TaskId[] = [];
  for (let n = 1; n < 5; n++) others.push(await createdTask());
  await submitJob(bed.ctx, first);
  const endWait = () => bed.database.sql("update vendor_pace set throttled_until = now()");
  await endWait();
  called = [];
  await Promise.all([first, ...others].map((taskId) => submitJob(bed.ctx, taskId)));
  expect(called.sort()).toEqual(["first", "second"]);
  answers = {};
  await endWait();
  called = [];
  await submitJob(bed.ctx, first);
  await Promise.all(others.map((taskId) => submitJob(bed.ctx, taskId)));
  expect(called).toEqual(["first", "first", "first", "first", "first"]);
});

test("an image whose answer was lost is given up, never submitted twice", async () => {
  answers = { images: [broken] };
  const taskId = await createdTask("image-pro-2");
  const lost = { kind: "failed", code: "vendor_unconfirmed" };
  expect(await submitJob(bed.ctx, taskId)).toEqual(lost);
  for (let n = 0; n < 3; n++) await submitJob(bed.ctx, taskId); // its worker may have died before it ended
  expect(await pollJob(bed.ctx, taskId)).toEqual(lost);
  expect(called).toEqual(["images"]);
});

test("an answer that is no image fails the task", async () => {
  const b64_json = Buffer.from("no image").toString("base64");
  answers = { images: [{ status: 200, body: { data: [{ b64_json }] } }] };
  const failed = await submitJob(bed.ctx, await createdTask("image-pro-2"));
  expect(failed).toEqual({ kind: "failed", code: "output_unusable" });
});
