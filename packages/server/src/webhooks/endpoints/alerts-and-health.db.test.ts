import { startReceiver } from "@zoetrope/testkit/start-receiver.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openPerson } from "../../../test/harness/open-person.ts";
import type { TestBed } from "../../../test/harness/test-context.ts";
import { type Account, openWebhookBed } from "../../../test/harness/webhook-bed.ts";
import { createTask } from "../../generation/create-task.ts";
import type { EndpointId, TaskId } from "../../ids.ts";
import { finishTask } from "../../tasks/finish-task.ts";
import { createHealthNotes } from "./note-health.ts";
import { notifyOwners } from "./notify-owners.ts";
import { lowBudget, lowCredits } from "./schema.ts";

let bed: TestBed;
let hooks: Awaited<ReturnType<typeof openWebhookBed>>;
beforeAll(async () => {
  hooks = await openWebhookBed();
  bed = hooks.bed;
});
afterAll(() => hooks.close());

const healthOf = async (account: Account, id: EndpointId) =>
  (await hooks.call(account.key, "GET", "endpoints")).items.find(
    ({ endpointId }) => endpointId === id,
  )?.health;

test("health says what an endpoint answers and since when; a success ends it", async () => {
  await using receiver = await startReceiver(() => 401);
  const account = await bed.openAccount();
  const { id } = await hooks.addEndpoint(account, receiver.url);
  const before = Date.now();
  await hooks.finish(account);
  await hooks.deliverUntil(() => receiver.received.length > 0);
  const failing = await healthOf(account, id);
  expect(failing).toMatchObject({
    status: 401,
    reason: "answered 401",
    failures: 1,
    lastSuccessAt: null,
  });
  expect(failing?.since).toBeGreaterThanOrEqual(before - 1_000);
  await bed.database.sql("update open_deliveries set next_attempt_at = now()");
  await hooks.deliverUntil(() => receiver.received.length > 1);
  const { since, failingSince } = failing ?? {};
  expect(await healthOf(account, id)).toMatchObject({ failures: 2, since, failingSince });
  receiver.answer = () => 204;
  await bed.database.sql("update open_deliveries set next_attempt_at = now()");
  await hooks.deliverAll(account);
  expect(await healthOf(account, id)).toMatchObject({
    status: 204,
    reason: null,
    failures: 0,
    failingSince: null,
    lastSuccessAt: expect.any(Number),
  });
});

test("an endpoint that fails for 5 days is paused, once, by whichever worker sees it, and its owners get a mail; one that was resumed starts anew", async () => {
  const account = await bed.openAccount();
  const { id } = await hooks.addEndpoint(account, "https://example.com/hook");
  const owner = await openPerson(bed, { role: "owner", accountId: account.id });
  const viewer = await openPerson(bed, { role: "viewer", accountId: account.id });
  const logged: object[] = [];
  const log = { ...bed.ctx.log, warn: (line: object) => logged.push(line) } as typeof bed.ctx.log;
  const fail = async () => {
    const workers = [1, 2].map(() => createHealthNotes({ ...bed.ctx, log }));
    const result = { status: 500, reason: "answered 500", durationMs: 1 };
    for (const worker of workers) worker.note(id, result);
    await Promise.all(workers.map((worker) => worker.close()));
  };
  const pausedOf = async () =>
    (await hooks.call(account.key, "GET", "endpoints")).items[0]?.pauseReason;
  await fail();
  const age =
    "update endpoint_health set failing_since = failing_since - $2::interval where endpoint_id = $1";
  await bed.database.sql(age, [id, "4 days 23 hours"]);
  await fail();
  expect(await pausedOf()).toBeNull();
  await bed.database.sql(age, [id, "1 hour"]);
  await fail();
  expect(await pausedOf()).toBe("failing");
  expect(logged).toEqual([{ event: "endpoint.paused", endpointId: id, accountId: account.id }]);
  const mails = "select recipient, content from mails where recipient = any ($1)";
  expect(await bed.database.sql(mails, [[owner.email, viewer.email]])).toEqual([
    {
      recipient: owner.email,
      content: {
        kind: "text",
        subject: "Webhook endpoint paused: https://example.com",
        text: expect.stringContaining(id),
      },
    },
  ]);
  await hooks.call(account.key, "PATCH", `endpoints?endpointId=${id}`, { paused: false });
  await fail();
  expect(await pausedOf()).toBeNull();
});

/** The mails to these people, after a round of the worker. */
const mailsTo = async (...people: { email: string }[]) => {
  await notifyOwners(bed.ctx);
  const query =
    "select recipient, content->>'subject' as subject from mails where recipient = any ($1) order by created_at, id";
  return bed.database.sql(query, [people.map(({ email }) => email)]);
};

const bodiesOf = async (account: Account) => {
  const rows = await bed.database.sql<{ body: string }>(
    "select body from deliveries where account_id = $1 order by created_at, id",
    [account.id],
  );
  return rows.map(({ body }) => JSON.parse(body) as { type: string; data: object });
};

const body = { model: "sd2", inputs: { prompt: "a fox" } };
const failed = { kind: "failed", code: "vendor_failed" } as const;
const complete = (taskId: TaskId) => {
  const output = [
    {
      key: `${"0".repeat(40)}.mp4`,
      contentType: "video/mp4",
      sizeBytes: 1,
      sha256: "00".repeat(32),
      width: 64,
      height: 64,
      durationMs: 1_000,
    },
  ];
  return finishTask(bed.ctx, taskId, { kind: "completed", output });
};

test("an account that nobody has configured tells its owners below 1,000 credits, and how many a new task can cost", async () => {
  const account = await bed.openAccount({ credits: 1_010 });
  expect(await hooks.call(account.key, "GET", "alerts")).toMatchObject({ creditsLow: 1_000 });
  const owner = await openPerson(bed, { role: "owner", accountId: account.id });
  const { taskId } = await createTask(bed.ctx, account, body, null);
  await createTask(bed.ctx, account, body, null);
  expect(await mailsTo(owner)).toEqual([]);
  await complete(taskId);
  const mail = { recipient: owner.email, subject: expect.stringContaining("Credits are low: ") };
  expect(await mailsTo(owner)).toEqual([mail]);
  const [sent] = await bed.database.sql<{ text: string }>(
    "select content->>'text' as text from mails where recipient = $1",
    [owner.email],
  );
  expect(sent?.text).toContain("has 980 credits left");
  expect(sent?.text).toContain("950 of them are available for new tasks");
});

test("low credits are told once per crossing of the account's own threshold, to endpoints and, by mail, to owners", async () => {
  const account = await bed.openAccount({ credits: 100 });
  const owner = await openPerson(bed, { role: "owner", accountId: account.id });
  const viewer = await openPerson(bed, { role: "viewer", accountId: account.id });
  await hooks.addEndpoint(account, "https://example.com/", { events: ["credits.low"] });
  const spend = async (isCompleted: boolean) => {
    const { taskId } = await createTask(bed.ctx, account, body, null);
    await (isCompleted ? complete(taskId) : finishTask(bed.ctx, taskId, failed));
  };
  expect((await hooks.call(account.key, "PATCH", "alerts", { creditsLow: 50 })).answered).toBe(200);
  expect(await hooks.call(account.key, "GET", "alerts")).toMatchObject({ creditsLow: 50 });
  await spend(false);
  await spend(true);
  expect(await bodiesOf(account)).toEqual([]);
  expect(await mailsTo(owner, viewer)).toEqual([]);
  await spend(true);
  const data = { credits: 40, availableCredits: 40, creditsLow: 50 };
  const reported = await bodiesOf(account);
  expect(reported).toMatchObject([{ type: "credits.low", data }]);
  expect(reported.map(({ data }) => lowCredits.strict().parse(data))).toEqual([data]); // as documented
  const mail = { recipient: owner.email, subject: expect.stringContaining("Credits are low: ") };
  expect(await mailsTo(owner, viewer)).toEqual([mail]);
  await spend(true);
  expect(await bodiesOf(account)).toHaveLength(1);
  expect(await mailsTo(owner, viewer)).toEqual([mail]);
  await hooks.call(account.key, "PATCH", "alerts", { creditsLow: null });
  for (const wrong of [0, -1, 1.5, "10"])
    expect((await hooks.call(account.key, "PATCH", "alerts", { creditsLow: wrong })).answered).toBe(
      400,
    );
});

test("a key's budget is told at 80 and at 100 percent, each once, to endpoints and owners", async () => {
  const account = await bed.openAccount({ limits: { creditsMax: 150 }, openTasksMax: 10 });
  const owner = await openPerson(bed, { role: "owner", accountId: account.id });
  await hooks.addEndpoint(account, "https://example.com/", { events: ["key.budget_low"] });
  const body = { model: "sd2", inputs: { prompt: "a fox" } };
  const create = () => createTask(bed.ctx, account, body, null);
  for (let n = 0; n < 3; n += 1) await create();
  expect(await bodiesOf(account)).toEqual([]);
  const { taskId } = await create();
  const low = { keyId: account.keyId, percent: 80, creditsMax: 150, creditsLeft: 30 };
  const reported = await bodiesOf(account);
  expect(reported).toMatchObject([{ type: "key.budget_low", data: low }]);
  expect(reported.map(({ data }) => lowBudget.strict().parse(data))).toMatchObject([low]); // as documented
  const used = (percent: number) => ({
    recipient: owner.email,
    subject: expect.stringContaining(`has used ${percent} % of its budget`),
  });
  expect(await mailsTo(owner)).toEqual([used(80)]);
  await finishTask(bed.ctx, taskId, { kind: "failed", code: "vendor_failed" });
  await create();
  expect(await bodiesOf(account)).toHaveLength(1);
  await create();
  expect((await bodiesOf(account))[1]).toMatchObject({ data: { percent: 100, creditsLeft: 0 } });
  expect(await mailsTo(owner)).toEqual([used(80), used(100)]);
});
