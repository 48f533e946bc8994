import { waitUntil } from "@zoetrope/dev/services/wait-until.ts";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { openStream } from "../../test/harness/event-stream.ts";
import { openTestBed, type TestBed } from "../../test/harness/test-context.ts";
import { createKey } from "../accounts/create-key.ts";
import { markKeyRevoked } from "../accounts/queries.ts";
import { createTask } from "../generation/create-task.ts";
import type { KeyId } from "../ids.ts";
import { createSubscriptions, type Subscriptions } from "../live/subscriptions.ts";
import { finishTask } from "../tasks/finish-task.ts";
import { readStates } from "../upscale/read-states.ts";
import { buildApi } from "./build-api.ts";

const waitLimits = { timeoutMs: 300_000 };

let bed: TestBed;
let subscriptions: Subscriptions;
let api: Awaited<ReturnType<typeof buildApi>>;
let url: string;
beforeAll(async () => {
  bed = await openTestBed();
  subscriptions = createSubscriptions(bed.ctx, (ids) => readStates(bed.ctx, ids), {
    checkKeysMs: 200,
  });
  api = await buildApi(bed.ctx, { rememberKeyMs: 200 }, { subscriptions });
  url = await api.listen({ host: "127.0.0.1", port: 0 });
});
afterAll(async () => {
  await api.close();
  await bed[Symbol.asyncDispose]();
});

async function openTask() {
  const account = await bed.openAccount();
  const body = { model: "sd2", inputs: { prompt: "a fox" } };
  const { taskId } = await createTask(bed.ctx, account, body, null);
  const query = `${url}/api/v1/jobs/queryTask?taskId=${taskId}`;
  return {
    taskId,
    account,
    follow: (key: string) => openStream(query, { authorization: `Bearer ${key}` }),
    followAll: (key: string) =>
      openStream(`${url}/api/v1/events`, { authorization: `Bearer ${key}` }),
    poll: (key: string) =>
      fetch(query, { headers: { authorization: `Bearer ${key}`, prefer: "wait=60" } }),
  };
}

const end = {
  revoked: (keyId: KeyId) => markKeyRevoked(bed.ctx.db, keyId),
  expired: (keyId: KeyId) =>
    bed.database.sql("update api_keys set expires_at = now() where id = $1", [keyId]),
};

const set = (keyId: KeyId, scopes: string) =>
  bed.database.sql("update api_keys set scopes = $2 where id = $1", [keyId, scopes]);

test("a key that loses its scope ends its streams without another state; one that gets another goes on", async () => {
  const { account, follow } = await openTask();
  const other = await createKey(bed.ctx.db, { accountId: account.id, name: "other" });
  await set(other.keyId, "{tasks}");
  const before = subscriptions.count();
  const [kept, ended] = await Promise.all([follow(other.key), follow(account.key)]);
  await waitUntil("two wait", () => subscriptions.count() === before + 2, waitLimits);
  await set(other.keyId, "{tasks,assets}");
  await set(account.keyId, "{account}");
  expect(await ended.end).toBe("ended");
  expect(subscriptions.count()).toBe(before + 1);
  kept.leave();
});

test("a key that loses the scope `webhooks` ends its stream of the account; another key's goes on", async () => {
  const { account, followAll } = await openTask();
  const other = await createKey(bed.ctx.db, { accountId: account.id, name: "other" });
  for (const { keyId } of [account, other]) await set(keyId, "{tasks,webhooks}");
  const before = subscriptions.count();
  const [kept, ended] = await Promise.all([followAll(other.key), followAll(account.key)]);
  await waitUntil("two wait", () => subscriptions.count() === before + 2, waitLimits);
  await set(account.keyId, "{tasks}");
  expect(await ended.end).toBe("ended");
  expect(subscriptions.count()).toBe(before + 1);
  kept.leave();
});

test("a stream ends with a scope that its key got after it had opened another stream, which goes on", async () => {
  const { account, follow, followAll } = await openTask();
  await set(account.keyId, "{tasks}");
  const before = subscriptions.count();
  const kept = await follow(account.key);
  await waitUntil("the task's waits", () => subscriptions.count() === before + 1, waitLimits);
  await set(account.keyId, "{tasks,webhooks}");
  let ended = await followAll(account.key);
  for (const deadline = Date.now() + 60_000; ended.status === 403 && Date.now() < deadline; )
    ended = await followAll(account.key); // until the key is read again
  await waitUntil("both wait", () => subscriptions.count() === before + 2, waitLimits);
  await set(account.keyId, "{tasks}");
  expect(await ended.end).toBe("ended");
  expect(subscriptions.count()).toBe(before + 1);
  kept.leave();
});

test.each(["revoked", "expired"] as const)(
  "a key that is %s ends all its streams and polls, without another state, and those of other keys go on",
  async (how) => {
    const { taskId, account, follow, poll } = await openTask();
    const other = await createKey(bed.ctx.db, { accountId: account.id, name: "other" });
    const before = subscriptions.count();
    const [kept, ...ended] = await Promise.all([
      follow(other.key),
      follow(account.key),
      follow(account.key),
    ]);
    const polled = poll(account.key);
    await waitUntil("four wait", () => subscriptions.count() === before + 4, waitLimits);
    await end[how](account.keyId);
    expect((await polled).status).toBe(401);
    for (const stream of ended) expect(await stream.end).toBe("ended");
    expect((await poll(account.key)).status).toBe(401);
    await finishTask(bed.ctx, taskId, { kind: "failed", code: "vendor_failed" });
    expect(await kept.end).toBe("ended");
    expect(kept.statuses()).toEqual(["PENDING", "FAILED"]);
    for (const stream of ended) expect(stream.statuses()).toEqual(["PENDING"]);
  },
);

test("keys are checked with one query for all of them, however many streams they have", async () => {
  const { account, follow } = await openTask();
  const { account: second, follow: followSecond } = await openTask();
  const before = subscriptions.count();
  const streams = await Promise.all([
    ...Array.from({ length: 20 }, () => follow(account.key)),
    followSecond(second.key),
  ]);
  await waitUntil("all wait", () => subscriptions.count() === before + 21, waitLimits);
  const checked: string[][] = [];
  const query = bed.ctx.pool.query.bind(bed.ctx.pool);
  const spy = vi.spyOn(bed.ctx.pool, "query").mockImplementation(((config: {
    name?: string;
    values?: string[][];
  }) => {
    if (config.name === "find ended keys") checked.push(config.values?.[0] ?? []);
    return query(config as never);
  }) as never);
  await waitUntil("the keys were checked twice", () => checked.length >= 2, waitLimits);
  spy.mockRestore();
  for (const keys of checked)
    expect(keys.toSorted()).toEqual([account.keyId, second.keyId].toSorted());
  for (const stream of streams) stream.leave();
});
