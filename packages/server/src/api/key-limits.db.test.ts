import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestBed, type TestBed } from "../../test/harness/test-context.ts";
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
  ["limit=1.5", limitRule],
  ["limit=x", limitRule],
  ["cursor=0", cursorRule],
  ["cursor=1.5", cursorRule],
  ["cursor=x", cursorRule],
  ["extra=1", "extra: is not accepted here"],
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
