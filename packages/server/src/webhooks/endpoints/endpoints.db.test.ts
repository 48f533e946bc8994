import assert from "node:assert";
import { startReceiver } from "@zoetrope/testkit/start-receiver.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openPerson } from "../../../test/harness/open-person.ts";
import type { TestBed } from "../../../test/harness/test-context.ts";
import { openWebhookBed, readSigned } from "../../../test/harness/webhook-bed.ts";
import { type EndpointId, newId } from "../../ids.ts";
import { readDeliveries } from "../read-deliveries.ts";

let bed: TestBed;
let hooks: Awaited<ReturnType<typeof openWebhookBed>>;
beforeAll(async () => {
  hooks = await openWebhookBed();
  bed = hooks.bed;
});
afterAll(() => hooks.close());

test("the end of a task goes to its callback and to every endpoint that wants it, signed by each one's secret, with one webhook-id", async () => {
  await using callback = await startReceiver();
  await using all = await startReceiver();
  await using some = await startReceiver();
  await using other = await startReceiver();
  const account = await bed.openAccount();
  const first = await hooks.addEndpoint(account, all.url);
  const second = await hooks.addEndpoint(account, some.url, { events: ["generation.failed"] });
  await hooks.addEndpoint(account, other.url, { events: ["generation.completed", "credits.low"] });
  await hooks.addEndpoint(await bed.openAccount(), other.url);
  expect(first.secret).not.toBe(second.secret);
  const taskId = await hooks.finish(account, callback.url);
  await hooks.deliverAll(account);
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
  const made = await hooks.call(developer, "POST", "endpoints", body);
  expect(made).toMatchObject({ answered: 200, ...body, pausedAt: null, health: null });
  const { endpointId, secret } = made;
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{32}$/);
  const at = `?endpointId=${endpointId}`;
  const seen = await hooks.call(viewer, "GET", "endpoints");
  expect(seen.items).toMatchObject([{ endpointId, ...body }]);
  expect(JSON.stringify(seen)).not.toContain("whsec");
  const changed = await hooks.call(developer, "PATCH", `endpoints${at}`, {
    events: null,
    description: "",
    url: "https://example.com/other",
  });
  expect(changed).toMatchObject({ events: null, description: "", missed: null });
  expect((await hooks.call(developer, "PATCH", `endpoints${at}`, {})).events).toBeNull();
  expect((await hooks.call(developer, "GET", `endpoints/secret${at}`)).secret).toBe(secret);
  const rotated = await hooks.call(developer, "POST", `endpoints/secret/rotate${at}`, {});
  expect(rotated.secret).not.toBe(secret);
  expect(rotated.previousUntil).toBeGreaterThan(Date.now());
  expect((await hooks.call(developer, "DELETE", `endpoints${at}`)).answered).toBe(200);
  expect(await hooks.call(developer, "DELETE", `endpoints${at}`)).toMatchObject({
    answered: 404,
    code: "endpoint_not_found",
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

test("who replaced the secret of the account is on record, without the secret", async () => {
  const account = await bed.openAccount();
  const developer = await openPerson(bed, { role: "developer", accountId: account.id });
  const before = await hooks.call(developer.headers, "GET", "secret");
  const rotated = await hooks.call(developer.headers, "POST", "secret/rotate", { overlapHours: 2 });
  expect(rotated.secret).not.toBe(before.secret);
  const audit = await bed.database.sql(
    "select action, actor_kind, object, after from audit_entries where account_id = $1",
    [account.id],
  );
  expect(audit).toEqual([
    {
      action: "account.rotate_secret",
      actor_kind: "person",
      object: account.id,
      after: { overlapHours: 2 },
    },
  ]);
});

test("an account has at most ten endpoints, however many are made at once; a private address is refused", async () => {
  const account = await bed.openAccount();
  for (const url of ["http://10.0.0.1/", "http://169.254.169.254/", "ftp://example.com/", "x"])
    expect(await hooks.call(account.key, "POST", "endpoints", { url })).toMatchObject({
      answered: 400,
      param: "url",
    });
  const body = { url: "https://example.com/hook" };
  const add = () => hooks.call(account.key, "POST", "endpoints", body);
  const made = await Promise.all(Array.from({ length: 20 }, add));
  expect(made.filter(({ answered }) => answered === 200).length).toBeLessThanOrEqual(10);
  // A busy machine refuses some for other reasons.
  for (let last = await add(); last.code !== "endpoints_limit"; last = await add());
  await hooks.finish(account);
  const queued = "select from deliveries where account_id = $1";
  expect(await bed.database.sql(queued, [account.id])).toHaveLength(10);
});

test("a paused endpoint gets nothing; once it is resumed, what it missed is delivered on request and only then", async () => {
  await using receiver = await startReceiver();
  const account = await bed.openAccount();
  const { id, secret } = await hooks.addEndpoint(account, receiver.url);
  const at = `endpoints?endpointId=${id}`;
  expect(await hooks.call(account.key, "PATCH", at, { paused: true })).toMatchObject({
    pausedAt: expect.any(Number),
    pauseReason: "owner",
    missed: null,
  });
  const missed = [await hooks.finish(account), await hooks.finish(account)];
  const own = await readDeliveries(bed.ctx, account, { endpointId: id, limit: 10 });
  expect(own.items.map(({ outcome, attempts }) => [outcome, attempts])).toEqual([
    ["failed", []],
    ["failed", []],
  ]);
  const resumed = await hooks.call(account.key, "PATCH", at, { paused: false });
  expect(resumed).toMatchObject({ pausedAt: null, missed: { endpointId: id } });
  const later = await hooks.finish(account);
  await hooks.deliverAll(account);
  const tasks = () => readSigned(receiver, secret).map(({ data }) => data["taskId"]);
  expect(tasks()).toEqual([later]);
  const again = await hooks.call(account.key, "POST", "again", resumed.missed ?? {});
  expect(again).toMatchObject({ answered: 200, queued: 2 });
  await hooks.deliverAll(account);
  expect(tasks().toSorted()).toEqual([...missed, later].toSorted());
});

test("what is delivered again goes to where the endpoint is now", async () => {
  await using wrong = await startReceiver(() => 404);
  await using right = await startReceiver();
  const account = await bed.openAccount();
  const { id, secret } = await hooks.addEndpoint(account, wrong.url);
  await hooks.finish(account);
  await hooks.deliverUntil(() => wrong.received.length > 0);
  await bed.database.sql("update open_deliveries set attempts = 4, next_attempt_at = now()");
  await hooks.deliverAll(account);
  await hooks.call(account.key, "PATCH", `endpoints?endpointId=${id}`, { url: right.url });
  const range = { from: new Date(Date.now() - 600_000), to: new Date(Date.now() + 1_000) };
  const again = await hooks.call(account.key, "POST", "again", { ...range, endpointId: id });
  expect(again.queued).toBe(1);
  await hooks.deliverAll(account);
  expect(readSigned(right, secret)).toHaveLength(1);
});

test("an endpoint that is deleted gets nothing more, not even what was on its way", async () => {
  await using receiver = await startReceiver();
  const account = await bed.openAccount();
  const { id } = await hooks.addEndpoint(account, receiver.url);
  const taskId = await hooks.finish(account);
  await hooks.call(account.key, "DELETE", `endpoints?endpointId=${id}`);
  await hooks.deliverAll(account);
  const [delivery] = (await readDeliveries(bed.ctx, account, { taskId, limit: 1 })).items;
  expect(delivery).toMatchObject({ outcome: "failed", attempts: [] });
  const again = { deliveryId: delivery?.deliveryId };
  expect(await hooks.call(account.key, "POST", "again", again)).toMatchObject({ queued: 0 });
  expect(receiver.received).toEqual([]);
});

test("a test event goes to an endpoint, also while it is paused", async () => {
  await using receiver = await startReceiver();
  const account = await bed.openAccount();
  const { id, secret } = await hooks.addEndpoint(account, receiver.url);
  await hooks.call(account.key, "PATCH", `endpoints?endpointId=${id}`, { paused: true });
  const sent = await hooks.call(account.key, "POST", "test", { endpointId: id });
  await hooks.deliverAll(account);
  expect(readSigned(receiver, secret)).toMatchObject([
    { type: "test", data: { test: true, deliveryId: sent.deliveryId } },
  ]);
  for (const endpointId of [newId<EndpointId>(0), "x"])
    expect((await hooks.call(account.key, "POST", "test", { endpointId })).answered).toBe(404);
});

test("while a secret is rotated both sign", async () => {
  await using receiver = await startReceiver();
  const account = await bed.openAccount();
  const { id, secret } = await hooks.addEndpoint(account, receiver.url);
  const at = `endpoints/secret/rotate?endpointId=${id}`;
  const now = await hooks.call(account.key, "POST", at, { overlapHours: 1 });
  await hooks.call(account.key, "POST", "test", { endpointId: id });
  await hooks.deliverAll(account);
  expect(readSigned(receiver, secret)).toEqual(readSigned(receiver, now.secret));
});
