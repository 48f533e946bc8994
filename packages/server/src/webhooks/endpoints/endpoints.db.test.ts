import assert from "node:assert";
import { type Receiver, startReceiver } from "@zoetrope/testkit/start-receiver.ts";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, expect, test } from "vitest";
import { checkMoney } from "../../../test/harness/check-money.ts";
import { openPerson } from "../../../test/harness/open-person.ts";
import { openTestBed, type TestBed } from "../../../test/harness/test-context.ts";
import type { Caller } from "../../accounts/queries.ts";
import { buildApi } from "../../api/build-api.ts";
import { createTask } from "../../generation/create-task.ts";
import { type EndpointId, newId } from "../../ids.ts";
import { finishTask } from "../../tasks/finish-task.ts";
import { deliverDue } from "../deliver-due.ts";
import { readDeliveries } from "../read-deliveries.ts";
import { createHealthNotes } from "./note-health.ts";
import type { EndpointAnswer } from "./schema.ts";

let bed: TestBed;
let api: Awaited<ReturnType<typeof buildApi>>;
beforeAll(async () => {
  bed = await openTestBed({ DELIVERY_INTERVAL_MS: "20" });
  api = await buildApi(bed.ctx);
});
afterAll(async () => {
  await api.close();
  await checkMoney(bed.database);
  await bed[Symbol.asyncDispose]();
});

type Account = Caller & { key: string };
type Method = "GET" | "POST" | "PATCH" | "DELETE";
interface Body extends EndpointAnswer {
  items: EndpointAnswer[];
  secret: string;
  previousUntil: number | null;
  missed: object | null;
  queued: number;
  deliveryId: string;
  code: string;
  param: string;
}

async function call(
  by: Record<string, string> | string,
  method: Method,
  path: string,
  payload?: object,
) {
  const answer = await api.inject({
    method,
    url: `/api/v1/webhooks/${path}`,
    headers: typeof by === "string" ? { authorization: `Bearer ${by}` } : by,
    ...(payload === undefined ? {} : { payload }),
  });
  return { answered: answer.statusCode, ...answer.json<Body>() };
}

async function addEndpoint(account: Account, url: string, body: object = {}) {
  const made = await call(account.key, "POST", "endpoints", { url, ...body });
  expect(made.answered).toBe(200);
  return { id: made.endpointId as EndpointId, secret: made.secret };
}

async function finish(account: Account, callBackUrl?: string) {
  const body = { model: "sd2", inputs: { prompt: "a fox" } };
  const taskBody = callBackUrl === undefined ? body : { ...body, callBackUrl };
  const { taskId } = await createTask(bed.ctx, account, taskBody, null);
  await finishTask(bed.ctx, taskId, { kind: "failed", code: "vendor_failed" });
  return taskId;
}

/** Runs the deliveries of a worker until something is true, and lets it stop. */
async function deliverUntil(isTrue: () => Promise<boolean> | boolean): Promise<void> {
  const stop = new AbortController();
  const delivering = deliverDue(bed.ctx, stop.signal);
  await expect.poll(isTrue, { timeout: 180_000 }).toBe(true);
  stop.abort();
  await delivering;
}

async function deliverAll(account: Account): Promise<void> {
  const open = "select from open_deliveries where account_id = $1";
  await deliverUntil(async () => (await bed.database.sql(open, [account.id])).length === 0);
}

/** The messages that arrived, each proven to be signed with the secret. */
function readSigned({ received }: Receiver, secret: string) {
  return received.map(({ body, headers }) => ({
    id: headers["webhook-id"],
    ...(new Webhook(secret).verify(body, headers as Record<string, string>) as {
      type: string;
      data: Record<string, unknown>;
    }),
  }));
}

const healthOf = async (account: Account, id: EndpointId) =>
  (await call(account.key, "GET", "endpoints")).items.find(({ endpointId }) => endpointId === id)
    ?.health;

test("the end of a task goes to its callback and to every endpoint that wants it, signed by each one's secret, with one webhook-id", async () => {
  await using callback = await startReceiver();
  await using all = await startReceiver();
  await using some = await startReceiver();
  await using other = await startReceiver();
  const account = await bed.openAccount();
  const first = await addEndpoint(account, all.url);
  const second = await addEndpoint(account, some.url, { events: ["generation.failed"] });
  await addEndpoint(account, other.url, { events: ["generation.completed", "credits.low"] });
  await addEndpoint(await bed.openAccount(), other.url);
  expect(first.secret).not.toBe(second.secret);
  const taskId = await finish(account, callback.url);
  await deliverAll(account);
  const [sent] = callback.received;
  assert(sent !== undefined);
  const message = {
    id: sent.headers["webhook-id"],
    type: "generation.failed",
    timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    data: JSON.parse(sent.body),
  };
  expect(readSigned(all, first.secret)).toEqual([message]);
  expect(readSigned(some, second.secret)).toEqual([message]);
  expect(() => readSigned(all, second.secret)).toThrow("No matching signature");
  expect(other.received).toEqual([]);
  const { items } = await readDeliveries(bed.ctx, account, { taskId, limit: 10 });
  expect(items.map(({ webhookId }) => webhookId)).toEqual(Array(3).fill(message.id));
  expect(new Set(items.map(({ endpointId }) => endpointId))).toEqual(
    new Set([null, first.id, second.id]),
  );
  const own = await readDeliveries(bed.ctx, account, { endpointId: second.id, limit: 10 });
  expect(own.items).toMatchObject([{ taskId, endpointId: second.id, outcome: "delivered" }]);
});

test("developers make, change and delete endpoints, viewers see them without secrets, and the audit has it all", async () => {
  const account = await bed.openAccount();
  const by = { accountId: account.id };
  const developer = (await openPerson(bed, { role: "developer", ...by })).headers;
  const viewer = (await openPerson(bed, { role: "viewer", ...by })).headers;
  const body = { url: "https://example.com/hook", events: ["credits.low"], description: "mine" };
  const made = await call(developer, "POST", "endpoints", body);
  expect(made).toMatchObject({ answered: 200, ...body, pausedAt: null, health: null });
  const { endpointId, secret } = made;
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{32}$/);
  const at = `?endpointId=${endpointId}`;
  const seen = await call(viewer, "GET", "endpoints");
  expect(seen.items).toMatchObject([{ endpointId, ...body }]);
  expect(JSON.stringify(seen)).not.toContain("whsec");
  for (const refused of [
    await call(viewer, "POST", "endpoints", body),
    await call(viewer, "PATCH", `endpoints${at}`, { paused: true }),
    await call(viewer, "DELETE", `endpoints${at}`),
    await call(viewer, "GET", `endpoints/secret${at}`),
  ])
    expect(refused).toMatchObject({ answered: 403, code: "role_missing" });
  const changed = await call(developer, "PATCH", `endpoints${at}`, {
    ...{ events: null, description: "", url: "https://example.com/other" },
  });
  expect(changed).toMatchObject({ events: null, description: "", missed: null });
  expect((await call(developer, "PATCH", `endpoints${at}`, {})).events).toBeNull();
  expect((await call(developer, "GET", `endpoints/secret${at}`)).secret).toBe(secret);
  const rotated = await call(developer, "POST", `endpoints/secret/rotate${at}`, {});
  expect(rotated.secret).not.toBe(secret);
  expect(rotated.previousUntil).toBeGreaterThan(Date.now());
  expect((await call(developer, "DELETE", `endpoints${at}`)).answered).toBe(200);
  expect(await call(developer, "DELETE", `endpoints${at}`)).toMatchObject({
    ...{ answered: 404, code: "endpoint_not_found" },
  });
  const audit = await bed.database.sql<{ action: string; actor_kind: string }>(
    "select action, actor_kind, before, after from audit_entries where account_id = $1 order by id",
    [account.id],
  );
  expect(audit.map(({ action }) => action)).toEqual(
    ["create", "change", "change", "rotate", "delete"].map((verb) => `endpoint.${verb}`),
  );
  expect(JSON.stringify(audit)).not.toContain("whsec");
  const stored = await bed.database.sql("select secret from webhook_endpoints");
  expect(JSON.stringify(stored)).not.toContain("whsec");
});

test("of 20 endpoints made at once ten are made; a private address is refused", async () => {
  const account = await bed.openAccount();
  for (const url of ["http://10.0.0.1/", "http://169.254.169.254/", "ftp://example.com/", "x"])
    expect(await call(account.key, "POST", "endpoints", { url })).toMatchObject({
      ...{ answered: 400, param: "url" },
    });
  const url = "https://example.com/hook";
  const made = await Promise.all(
    Array.from({ length: 20 }, () => call(account.key, "POST", "endpoints", { url })),
  );
  const counts = Map.groupBy(made, ({ code }) => code ?? "made");
  expect(counts.get("made")).toHaveLength(10);
  expect(counts.get("endpoints_limit")).toHaveLength(10);
  await finish(account);
  const queued = "select from deliveries where account_id = $1";
  expect(await bed.database.sql(queued, [account.id])).toHaveLength(10);
});

test("a paused endpoint gets nothing; once it is resumed, what it missed is delivered on request and only then", async () => {
  await using receiver = await startReceiver();
  const account = await bed.openAccount();
  const { id, secret } = await addEndpoint(account, receiver.url);
  const at = `endpoints?endpointId=${id}`;
  expect(await call(account.key, "PATCH", at, { paused: true })).toMatchObject({
    ...{ pausedAt: expect.any(Number), pauseReason: "owner", missed: null },
  });
  const missed = [await finish(account), await finish(account)];
  const own = await readDeliveries(bed.ctx, account, { endpointId: id, limit: 10 });
  expect(own.items.map(({ outcome, attempts }) => [outcome, attempts])).toEqual([
    ["failed", []],
    ["failed", []],
  ]);
  const resumed = await call(account.key, "PATCH", at, { paused: false });
  expect(resumed).toMatchObject({ pausedAt: null, missed: { endpointId: id } });
  const later = await finish(account);
  await deliverAll(account);
  const tasks = () => readSigned(receiver, secret).map(({ data }) => data["taskId"]);
  expect(tasks()).toEqual([later]);
  const again = await call(account.key, "POST", "again", resumed.missed ?? {});
  expect(again).toMatchObject({ answered: 200, queued: 2 });
  await deliverAll(account);
  expect(tasks().toSorted()).toEqual([...missed, later].toSorted());
});

test("what is delivered again goes to where the endpoint is now", async () => {
  await using wrong = await startReceiver(() => 404);
  await using right = await startReceiver();
  const account = await bed.openAccount();
  const { id, secret } = await addEndpoint(account, wrong.url);
  await finish(account);
  await deliverUntil(() => wrong.received.length > 0);
  await bed.database.sql("update open_deliveries set attempts = 4, next_attempt_at = now()");
  await deliverAll(account);
  await call(account.key, "PATCH", `endpoints?endpointId=${id}`, { url: right.url });
  const range = { from: new Date(Date.now() - 600_000), to: new Date(Date.now() + 1_000) };
  const again = await call(account.key, "POST", "again", { ...range, endpointId: id });
  expect(again.queued).toBe(1);
  await deliverAll(account);
  expect(readSigned(right, secret)).toHaveLength(1);
});

test("an endpoint that is deleted gets nothing more, not even what was on its way", async () => {
  await using receiver = await startReceiver();
  const account = await bed.openAccount();
  const { id } = await addEndpoint(account, receiver.url);
  const taskId = await finish(account);
  await call(account.key, "DELETE", `endpoints?endpointId=${id}`);
  await deliverAll(account);
  const [delivery] = (await readDeliveries(bed.ctx, account, { taskId, limit: 1 })).items;
  expect(delivery).toMatchObject({ outcome: "failed", attempts: [] });
  const again = { deliveryId: delivery?.deliveryId };
  expect(await call(account.key, "POST", "again", again)).toMatchObject({ queued: 0 });
  expect(receiver.received).toEqual([]);
});

test("a test event goes to an endpoint, also while it is paused", async () => {
  await using receiver = await startReceiver();
  const account = await bed.openAccount();
  const { id, secret } = await addEndpoint(account, receiver.url);
  await call(account.key, "PATCH", `endpoints?endpointId=${id}`, { paused: true });
  const sent = await call(account.key, "POST", "test", { endpointId: id });
  await deliverAll(account);
  expect(readSigned(receiver, secret)).toMatchObject([
    { type: "test", data: { test: true, deliveryId: sent.deliveryId } },
  ]);
  for (const endpointId of [newId<EndpointId>(0), "x"])
    expect((await call(account.key, "POST", "test", { endpointId })).answered).toBe(404);
});

test("while a secret is rotated both sign", async () => {
  await using receiver = await startReceiver();
  const account = await bed.openAccount();
  const { id, secret } = await addEndpoint(account, receiver.url);
  const at = `endpoints/secret/rotate?endpointId=${id}`;
  const now = await call(account.key, "POST", at, { overlapHours: 1 });
  await call(account.key, "POST", "test", { endpointId: id });
  await deliverAll(account);
  expect(readSigned(receiver, secret)).toEqual(readSigned(receiver, now.secret));
});

test("health says what an endpoint answers and since when; a success ends it", async () => {
  await using receiver = await startReceiver(() => 401);
  const account = await bed.openAccount();
  const { id } = await addEndpoint(account, receiver.url);
  const before = Date.now();
  await finish(account);
  await deliverUntil(() => receiver.received.length > 0);
  const failing = await healthOf(account, id);
  expect(failing).toMatchObject({
    ...{ status: 401, reason: "answered 401", failures: 1, lastSuccessAt: null },
  });
  expect(failing?.since).toBeGreaterThanOrEqual(before - 1_000);
  await bed.database.sql("update open_deliveries set next_attempt_at = now()");
  await deliverUntil(() => receiver.received.length > 1);
  const { since, failingSince } = failing ?? {};
  expect(await healthOf(account, id)).toMatchObject({ failures: 2, since, failingSince });
  receiver.answer = () => 204;
  await bed.database.sql("update open_deliveries set next_attempt_at = now()");
  await deliverAll(account);
  expect(await healthOf(account, id)).toMatchObject({
    ...{ status: 204, reason: null, failures: 0, failingSince: null },
    lastSuccessAt: expect.any(Number),
  });
});

test("an endpoint that fails for 5 days is paused, once, by whichever worker sees it; one that was resumed starts anew", async () => {
  const account = await bed.openAccount();
  const { id } = await addEndpoint(account, "https://example.com/hook");
  const logged: object[] = [];
  const log = { ...bed.ctx.log, warn: (line: object) => logged.push(line) } as typeof bed.ctx.log;
  const fail = async () => {
    const workers = [1, 2].map(() => createHealthNotes({ ...bed.ctx, log }));
    const result = { status: 500, reason: "answered 500", durationMs: 1 };
    for (const worker of workers) worker.note(id, result);
    await Promise.all(workers.map((worker) => worker.close()));
  };
  const pausedOf = async () => (await call(account.key, "GET", "endpoints")).items[0]?.pauseReason;
  await fail();
  const age = "update endpoint_health set failing_since = failing_since - $2::interval where endpoint_id = $1";
  await bed.database.sql(age, [id, "4 days 23 hours"]);
  await fail();
  expect(await pausedOf()).toBeNull();
  await bed.database.sql(age, [id, "1 hour"]);
  await fail();
  expect(await pausedOf()).toBe("failing");
  expect(logged).toEqual([
    { event: "endpoint.paused", endpointId: id, accountId: account.id, host: "example.com" },
  ]);
  await call(account.key, "PATCH", `endpoints?endpointId=${id}`, { paused: false });
  await fail();
  expect(await pausedOf()).toBeNull();
});

const bodiesOf = async (account: Account) => {
  const rows = await bed.database.sql<{ body: string }>(
    "select body from deliveries where account_id = $1 order by created_at, id",
    [account.id],
  );
  return rows.map(({ body }) => JSON.parse(body) as { type: string; data: object });
};

test("low credits are told once per crossing of the account's own threshold", async () => {
  const account = await bed.openAccount({ credits: 100 });
  await addEndpoint(account, "https://example.com/", { events: ["credits.low"] });
  const body = { model: "sd2", inputs: { prompt: "a fox" } };
  const spend = async (isCompleted: boolean) => {
    const { taskId } = await createTask(bed.ctx, account, body, null);
    const output = [
      {
        ...{ key: `${"0".repeat(40)}.mp4`, contentType: "video/mp4", sizeBytes: 1, sha256: "" },
        ...{ width: 64, height: 64, durationMs: 1_000 },
      },
    ];
    await finishTask(
      bed.ctx,
      taskId,
      isCompleted ? { kind: "completed", output } : { kind: "failed", code: "vendor_failed" },
    );
  };
  expect((await call(account.key, "PATCH", "alerts", { creditsLow: 50 })).answered).toBe(200);
  expect(await call(account.key, "GET", "alerts")).toMatchObject({ creditsLow: 50 });
  await spend(false);
  await spend(true);
  expect(await bodiesOf(account)).toEqual([]);
  await spend(true);
  const data = { credits: 40, availableCredits: 40, creditsLow: 50 };
  expect(await bodiesOf(account)).toMatchObject([{ type: "credits.low", data }]);
  await spend(true);
  expect(await bodiesOf(account)).toHaveLength(1);
  await call(account.key, "PATCH", "alerts", { creditsLow: null });
  for (const wrong of [0, -1, 1.5, "10"])
    expect((await call(account.key, "PATCH", "alerts", { creditsLow: wrong })).answered).toBe(400);
});

test("a key's budget is told at 80 and at 100 percent, each once", async () => {
  const account = await bed.openAccount({ limits: { creditsMax: 150 }, openTasksMax: 10 });
  await addEndpoint(account, "https://example.com/", { events: ["key.budget_low"] });
  const body = { model: "sd2", inputs: { prompt: "a fox" } };
  const create = () => createTask(bed.ctx, account, body, null);
  for (let n = 0; n < 3; n += 1) await create();
  expect(await bodiesOf(account)).toEqual([]);
  const { taskId } = await create();
  const low = { keyId: account.keyId, percent: 80, creditsMax: 150, creditsLeft: 30 };
  expect(await bodiesOf(account)).toMatchObject([{ type: "key.budget_low", data: low }]);
  await finishTask(bed.ctx, taskId, { kind: "failed", code: "vendor_failed" });
  await create();
  expect(await bodiesOf(account)).toHaveLength(1);
  await create();
  expect((await bodiesOf(account))[1]).toMatchObject({ data: { percent: 100, creditsLeft: 0 } });
});
