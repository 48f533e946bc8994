import { afterAll, beforeAll, expect, test } from "vitest";
import { openPerson } from "../../test/harness/open-person.ts";
import { openTestBed, type TestBed } from "../../test/harness/test-context.ts";
import { createKey } from "../accounts/create-key.ts";
import { adjustCredits, grantCredits } from "../credits/ledger.ts";
import { createTask } from "../generation/create-task.ts";
import type { TaskId } from "../ids.ts";
import { finishTask } from "../tasks/finish-task.ts";
import { buildApi } from "./build-api.ts";

let bed: TestBed;
let api: Awaited<ReturnType<typeof buildApi>>;
beforeAll(async () => {
  bed = await openTestBed({ REQUESTS_PER_MINUTE_MAX: "50" });
  api = await buildApi(bed.ctx);
});
afterAll(async () => {
  await api.close();
  await bed[Symbol.asyncDispose]();
});

const body = { model: "sd2", inputs: { prompt: "a fox" } };
const get = (key: string, url: string) =>
  api.inject({ url, headers: { authorization: `Bearer ${key}` } });
const post = (key: string, path: string, payload: object) =>
  api.inject({
    method: "POST",
    url: `/api/v1/jobs/${path}`,
    headers: { authorization: `Bearer ${key}` },
    payload,
  });

test.each([
  ["its own limit", { requestsPerMinuteMax: 3 }, 3],
  ["the deployment's", {}, 50],
])(
  "a key may send as many requests a minute as %s says, and every answer says where it stands",
  async (_name, limits, limit) => {
    const { key } = await bed.openAccount({ limits });
    for (let left = limit - 1; left >= 0; left--) {
      const { statusCode, headers } = await get(key, "/api/v1/account/credits");
      expect(statusCode).toBe(200);
      expect(headers["ratelimit-policy"]).toBe(`"key";q=${limit};w=60`);
      expect(headers["ratelimit"]).toMatch(new RegExp(`^"key";r=${left};t=(60|5\\d)$`));
    }
    const refused = await post(key, "createTask", body);
    expect([refused.statusCode, refused.json().code]).toEqual([429, "rate_limited"]);
    expect(Number(refused.headers["retry-after"])).toBeGreaterThan(50);
    expect(refused.headers["ratelimit"]).toContain("r=0");
    const other = await bed.openAccount();
    expect((await get(other.key, "/api/v1/account/credits")).statusCode).toBe(200);
  },
);

test("a key for some models refuses the others, also in a quote, and says which it may use", async () => {
  const { key } = await bed.openAccount({ limits: { models: ["sd2-fast", "happyhorse"] } });
  for (const path of ["createTask", "quote"]) {
    const refused = await post(key, path, body);
    expect([refused.statusCode, refused.json().code]).toEqual([403, "model_not_allowed"]);
    expect(refused.json().message).toContain("sd2-fast, happyhorse");
    expect((await post(key, path, { ...body, model: "sd2-fast" })).statusCode).toBe(200);
  }
});

test("a key learns nothing of a colleague's task by its Idempotency-Key, unless it could have created it", async () => {
  const account = await bed.openAccount({ openTasksMax: 10 });
  const create = (key: string) =>
    api.inject({
      method: "POST",
      url: "/api/v1/jobs/createTask",
      payload: body,
      headers: { authorization: `Bearer ${key}`, "idempotency-key": "shared" },
    });
  const { taskId } = (await create(account.key)).json();
  const keyWith = (limits: object) =>
    createKey(bed.ctx.db, { accountId: account.id, name: "limited", ...limits });
  const otherModel = await keyWith({ models: ["happyhorse"] });
  const poor = await keyWith({ creditsMax: 1 });
  const equal = await keyWith({});
  expect((await create(otherModel.key)).json().code).toBe("model_not_allowed");
  expect((await create(poor.key)).json().code).toBe("key_budget_exceeded");
  expect((await create(equal.key)).json()).toEqual({ taskId });
  await bed.database.sql("update api_keys set credits_max = credits_used where id = $1", [
    account.keyId,
  ]);
  expect((await create(account.key)).json()).toEqual({ taskId }); // its own, although its budget is used up
});

test("a key learns nothing of a colleague's upscale by its Idempotency-Key, unless it could have created it", async () => {
  const account = await bed.openAccount({ openTasksMax: 10 });
  const payload = {
    source: { type: "url", url: "https://example.com/a.mp4" },
    targetResolution: "1080p",
  };
  const create = (key: string) =>
    api.inject({
      method: "POST",
      url: "/api/v1/upscale/create",
      payload,
      headers: { authorization: `Bearer ${key}`, "idempotency-key": "shared" },
    });
  const first = await create(account.key);
  expect(first.statusCode, first.payload).toBe(200);
  const { taskId } = first.json();
  const keyWith = (limits: object) =>
    createKey(bed.ctx.db, { accountId: account.id, name: "limited", ...limits });
  const otherModel = await keyWith({ models: ["happyhorse"] });
  const poor = await keyWith({ creditsMax: 1 });
  const equal = await keyWith({});
  expect((await create(otherModel.key)).json().code).toBe("model_not_allowed");
  expect((await create(poor.key)).json().code).toBe("key_budget_exceeded");
  const again = await create(equal.key);
  expect(again.json()).toMatchObject({ taskId });
  expect(again.headers["idempotent-replayed"]).toBe("true");
});

test("what a session reads is kept by no browser and no proxy, and over https by no other transport", async () => {
  const links = { ...bed.ctx.config.links, publicUrl: "https://media.example.com" };
  const secure = await buildApi({ ...bed.ctx, config: { ...bed.ctx.config, links } });
  const { headers: plain } = await openPerson(bed, { role: "owner" });
  for (const url of ["me", "webhooks/secret", "account/keys"]) {
    const answers = [
      await api.inject({ url: `/api/v1/${url}`, headers: plain }),
      await secure.inject({
        url: `/api/v1/${url}`,
        headers: { ...plain, origin: links.publicUrl },
      }),
    ];
    for (const { statusCode, headers, payload } of answers) {
      expect(statusCode, payload).toBe(200);
      expect(headers).toMatchObject({
        "cache-control": "private, no-store",
        vary: expect.stringContaining("Cookie"),
      });
    }
    expect(answers.map(({ headers }) => headers["strict-transport-security"])).toEqual([
      undefined,
      "max-age=31536000",
    ]);
  }
  await secure.close();
});

test("answers under /api are private unless they say otherwise, and names nobody knows in a query are ignored", async () => {
  const { key } = await bed.openAccount();
  const credits = await get(key, "/api/v1/account/credits?_=1");
  expect(credits.statusCode).toBe(200);
  expect(credits.headers["cache-control"]).toBe("private, no-store");
  expect(credits.headers["vary"]).toBe("Authorization, Cookie, Accept-Language");
  const list = await get(key, "/api/v1/assets/list?_=1&limit=3");
  expect(list.statusCode, list.payload).toBe(200);
  const { taskId } = (await post(key, "createTask", { ...body, callBackUrl: "" })).json();
  const task = await get(key, `/api/v1/jobs/queryTask?taskId=${taskId}&x=1`);
  expect(task.headers["cache-control"]).toBe("private, no-cache");
  expect((await get(key, "/api/v1/nothing")).headers["cache-control"]).toBe("private, no-store");
  expect((await get(key, "/api/v1/banner")).headers["cache-control"]).toBe("public, max-age=10");
  const wrong = await post(key, "quote", { model: "sd2", inputs: { prompt: 5 } });
  expect(wrong.json().message).toBe("inputs.prompt: must be text");
});

test("a key that has run out is no key", async () => {
  const soon = new Date(Date.now() + 60_000);
  const past = new Date(Date.now() - 1_000);
  const statusOf = async (expiresAt: Date) => {
    const { key } = await bed.openAccount({ limits: { expiresAt } });
    return (await get(key, "/api/v1/account/credits")).statusCode;
  };
  expect([await statusOf(soon), await statusOf(past)]).toEqual([200, 401]);
});

test("402: a key's budget has another code than the account's balance", async () => {
  const { key } = await bed.openAccount({ limits: { creditsMax: 29 } });
  const refused = await post(key, "createTask", body);
  expect([refused.statusCode, refused.json().code]).toEqual([402, "key_budget_exceeded"]);
});

test("the statement has every transfer once, newest first, with its task and the balance after it", async () => {
  const account = await bed.openAccount({ credits: 100 });
  const { taskId: lost } = await createTask(bed.ctx, account, body, null);
  await finishTask(bed.ctx, lost, { kind: "failed", code: "vendor_failed" });
  const { taskId: won } = await createTask(bed.ctx, account, body, null);
  await finishTask(bed.ctx, won, { kind: "completed", output: [] });
  const { items, nextCursor } = (await get(account.key, "/api/v1/account/ledger")).json();
  const item = (number: number, kind: string, taskId: TaskId | null, rest: object) => ({
    number,
    kind,
    taskId,
    amount: kind === "grant" ? 100 : 30,
    note: kind === "grant" ? "test" : null,
    time: expect.any(Number),
    ...rest,
  });
  expect(items).toEqual([
    item(5, "capture", won, { credits: 70, availableCredits: 70 }),
    item(4, "hold", won, { credits: 100, availableCredits: 70 }),
    item(3, "release", lost, { credits: 100, availableCredits: 100 }),
    item(2, "hold", lost, { credits: 100, availableCredits: 70 }),
    item(1, "grant", null, { credits: 100, availableCredits: 100 }),
  ]);
  expect(nextCursor).toBeNull();

  const paged = [];
  let cursor: number | null = null;
  do {
    const from: string = cursor === null ? "" : `&cursor=${cursor}`;
    const page = (await get(account.key, `/api/v1/account/ledger?limit=2${from}`)).json();
    expect(page.items.length).toBeLessThanOrEqual(2);
    paged.push(...page.items);
    cursor = page.nextCursor;
  } while (cursor !== null);
  expect(paged).toEqual(items);
  const stranger = await bed.openAccount({ credits: 0 });
  const nothing = (await get(stranger.key, "/api/v1/account/ledger")).json();
  expect(nothing).toEqual({ items: [], nextCursor: null });
});

const limitRule = "limit: must be a whole number from 1 to 100";
const cursorRule = "cursor: must be the nextCursor of the previous page";

test.each([
  ["limit=0", limitRule],
  ["limit=101", limitRule],
  ["limit=0x10", limitRule],
  ["limit=1e1", limitRule],
  ["limit=1.5", limitRule],
  ["limit=x", limitRule],
  ["cursor=0", cursorRule],
  ["cursor=1.5", cursorRule],
  ["cursor=x", cursorRule],
])("400: the statement with %s says %s", async (query, message) => {
  const { key } = await bed.openAccount();
  const answer = await get(key, `/api/v1/account/ledger?${query}`);
  expect([answer.statusCode, answer.json().message]).toEqual([400, message]);
});

test("a page of the statement has 20 items by default, at most 100", async () => {
  const { id: accountId, key } = await bed.openAccount({ credits: 1 });
  for (let n = 0; n < 100; n++)
    await grantCredits(bed.ctx.pool, { accountId, credits: 1, note: "x" });
  await adjustCredits(bed.ctx.pool, { accountId, credits: -1, note: "too many" });
  const { items } = (await get(key, "/api/v1/account/ledger?limit=1")).json();
  expect(items).toMatchObject([{ kind: "adjust", amount: -1, taskId: null, note: "too many" }]);
  const count = async (query: string) =>
    (await get(key, `/api/v1/account/ledger${query}`)).json().items.length;
  expect([await count(""), await count("?limit=1"), await count("?limit=100")]).toEqual([
    20, 1, 100,
  ]);
});
