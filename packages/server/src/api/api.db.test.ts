import { waitUntil } from "@zoetrope/dev/services/wait-until.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { checkMoney } from "../../test/harness/check-money.ts";
import { openTestBed, type TestBed } from "../../test/harness/test-context.ts";
import { newApiKey } from "../accounts/api-key.ts";
import { markKeyRevoked } from "../accounts/queries.ts";
import { withoutUndefined } from "../http/without-undefined.ts";
import { newId, type TaskId } from "../ids.ts";
import { buildApi } from "./build-api.ts";

let bed: TestBed;
let api: Awaited<ReturnType<typeof buildApi>>;
let baseUrl: string;
beforeAll(async () => {
  bed = await openTestBed();
  api = await buildApi(bed.ctx, { rememberKeyMs: 500 });
  baseUrl = await api.listen({ host: "127.0.0.1", port: 0 });
});
afterAll(async () => {
  await api.close();
  await checkMoney(bed.database);
  await bed[Symbol.asyncDispose]();
});

const createPath = "/api/v1/jobs/createTask";
const goodBody = { model: "sd2", inputs: { prompt: "a fox" } };

interface AnswerBody {
  taskId?: TaskId;
  message?: string;
  code?: string;
  requestId?: string;
  param?: string;
  openTasksMax?: number;
  openTasksLeft?: number;
}

async function call(
  path: string,
  options: { key?: string; body?: unknown; headers?: Record<string, string> } = {},
) {
  const { key, body } = options;
  const response = await fetch(baseUrl + path, {
    method: body === undefined ? "GET" : "POST",
    headers: withoutUndefined({
      authorization: key === undefined ? undefined : `Bearer ${key}`,
      "content-type": body === undefined ? undefined : "application/json",
      ...options.headers,
    }),
    body: typeof body === "string" ? body : (JSON.stringify(body) ?? null),
  });
  const json = (await response.json()) as AnswerBody;
  return { status: response.status, headers: response.headers, json };
}

/** Every refusal has a message, a code and the id of the request, which is also in the header. */
function expectError(answer: Awaited<ReturnType<typeof call>>, status: number, code: string) {
  expect(answer.status).toBe(status);
  expect(answer.json).toMatchObject({ code, message: expect.stringMatching(/^.{10,}/) });
  expect(answer.json.requestId).toMatch(/^[0-9a-f-]{36}$/);
  expect(answer.headers.get("x-request-id")).toBe(answer.json.requestId);
}

test("200: createTask answers the task's id, and queryTask shows it as the interface says", async () => {
  const { key } = await bed.openAccount();
  const created = await call(createPath, { key, body: goodBody });
  expect(created.status).toBe(200);
  expect(Object.keys(created.json)).toEqual(["taskId"]);
  expect(created.headers.get("x-request-id")).not.toBeNull();
  const query = await call(`/api/v1/jobs/queryTask?taskId=${created.json.taskId}`, { key });
  expect(query.status).toBe(200);
  expect(query.json).toEqual({
    taskId: created.json.taskId,
    model: "sd2",
    status: "PENDING",
    creditsUsed: 30,
    output: null,
    error: null,
    errorCode: null,
    createTime: expect.any(Number),
    completeTime: null,
  });
  const credits = await call("/api/v1/account/credits", { key });
  expect(credits.json).toMatchObject({ credits: 10_000, availableCredits: 9_970 });
  const { openTasksMax = 0, openTasksLeft = 0 } = credits.json;
  expect(openTasksMax - openTasksLeft).toBe(1);
});

test("200: the same Idempotency-Key and body give the same answer, marked as replayed", async () => {
  const { key } = await bed.openAccount();
  const headers = { "idempotency-key": "once" };
  const first = await call(createPath, { key, body: goodBody, headers });
  const again = await call(createPath, { key, body: goodBody, headers });
  expect(again.json).toEqual(first.json);
  expect(first.headers.get("idempotent-replayed")).toBeNull();
  expect(again.headers.get("idempotent-replayed")).toBe("true");
  const other = await call(createPath, {
    key,
    body: { ...goodBody, model: "sd2", inputs: { prompt: "b" } },
    headers,
  });
  expectError(other, 422, "idempotency_key_reused");
});

test("400: an Idempotency-Key of no or of 256 characters; one of 255 is taken", async () => {
  const { key } = await bed.openAccount();
  const send = (value: string) =>
    call(createPath, { key, body: goodBody, headers: { "idempotency-key": value } });
  for (const value of ["", "k".repeat(256)]) {
    const answer = await send(value);
    expectError(answer, 400, "invalid_parameters");
    expect(answer.json.message).toBe("idempotency-key: must be 1 to 255 characters");
  }
  expect((await send("k".repeat(255))).status).toBe(200);
});

test.each([
  ["model", { inputs: { prompt: "a" } }],
  ["model", { model: 7, inputs: { prompt: "a" } }],
  ["model", { model: "sd9", inputs: { prompt: "a" } }],
  ["inputs", { model: "sd2" }],
  ["inputs", { model: "sd2", inputs: [] }],
  ["inputs.prompt", { model: "sd2", inputs: {} }],
  ["inputs.quality", { model: "sd2", inputs: { prompt: "a", quality: "high" } }],
  ["callBackUrl", { ...goodBody, callBackUrl: "ftp://example.com" }],
  ["callBackUrl", { ...goodBody, callBackUrl: "http://169.254.169.254/latest" }],
  ["callBackUrl", { ...goodBody, callBackUrl: 1 }],
  ["inputs.prompt", { model: "sd2", inputs: { prompt: "\u0000" } }],
  ["extra", { ...goodBody, extra: 1 }],
  ["body", []],
  ["body", "null"],
])("400: a fault in %s is named: %j", async (param, body) => {
  const { key } = await bed.openAccount();
  const answer = await call(createPath, { key, body });
  expectError(answer, 400, "invalid_parameters");
  expect(answer.json.param).toBe(param);
});

test("a callBackUrl with characters that no URL has is kept in its normal form", async () => {
  const { key } = await bed.openAccount();
  const body = { ...goodBody, callBackUrl: " http://EXAMPLE.com/\u0001?a=ü " };
  const { status, json } = await call(createPath, { key, body });
  expect(status).toBe(200);
  const [row] = await bed.database.sql("select callback_url from tasks where id = $1", [
    json.taskId,
  ]);
  expect(row).toEqual({ callback_url: "http://example.com/%01?a=%C3%BC" });
});

test("400: queryTask without a task id, and a body that is no JSON", async () => {
  const { key } = await bed.openAccount();
  expectError(await call("/api/v1/jobs/queryTask", { key }), 400, "invalid_parameters");
  expectError(await call(createPath, { key, body: "{" }), 400, "invalid_json");
  expectError(await call(createPath, { key, body: "" }), 400, "invalid_json");
  const text = { "content-type": "text/plain" };
  expectError(await call(createPath, { key, body: "a", headers: text }), 400, "invalid_json");
});

test("401: no key, a wrong scheme, a typo, an unknown key and a revoked key", async () => {
  const account = await bed.openAccount();
  const auth = (authorization: string) => ({ headers: { authorization } });
  for (const options of [
    {},
    auth("Bearer"),
    auth(`Basic ${account.key}`),
    { key: `${account.key}x` },
    { key: newApiKey().key },
  ])
    expectError(await call("/api/v1/account/credits", options), 401, "unauthorized");
  expect((await call("/api/v1/account/credits", { key: account.key })).status).toBe(200);
  await markKeyRevoked(bed.ctx.db, account.keyId);
  const { key } = account;
  expectError(await call(createPath, { key, body: goodBody }), 401, "unauthorized");
  await waitUntil(
    "what is remembered of the key is forgotten",
    async () => (await call("/api/v1/account/credits", { key })).status === 401,
    { timeoutMs: 300_000 },
  );
});

test("401 comes before 400: the bad body of an unauthenticated request is not even read", async () => {
  expectError(await call(createPath, { body: "{" }), 401, "unauthorized");
});

test("402: too few credits, with both numbers in the message", async () => {
  const { key } = await bed.openAccount({ credits: 29 });
  const answer = await call(createPath, { key, body: goodBody });
  expectError(answer, 402, "insufficient_credits");
  expect(answer.json.message).toContain("30");
  expect(answer.json.message).toContain("29");
});

test("404: an unknown task, a text that is no id, and an address that does not exist", async () => {
  const { key } = await bed.openAccount();
  for (const id of [newId(0), "x", "' or 1=1"])
    expectError(await call(`/api/v1/jobs/queryTask?taskId=${id}`, { key }), 404, "task_not_found");
  const nothing = await call("/api/v1/nothing?a=b", { key });
  expectError(nothing, 404, "not_found");
  expect(nothing.json.message).toBe("There is no endpoint GET /api/v1/nothing.");
  const twice = await call("/api/v1/api/v1/models", { key });
  expect(twice.json.message).toContain("/api/v1/api/v1/models. The base URL ends before /api/v1.");
  expectError(await call("/media/nothing.mp4"), 404, "media_not_found");
});

test("413: a body beyond the limit", async () => {
  const { key } = await bed.openAccount();
  const body = { model: "sd2", inputs: { prompt: "x".repeat(300 * 1024) } };
  expectError(await call(createPath, { key, body }), 413, "body_too_large");
});

test("429: ten simultaneous creates are three 200s and seven 429s with Retry-After", async () => {
  const { key } = await bed.openAccount();
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => call(createPath, { key, body: goodBody })),
  );
  expect(answers.filter((answer) => answer.status === 200)).toHaveLength(3);
  const refused = answers.filter((answer) => answer.status !== 200);
  expect(refused).toHaveLength(7);
  for (const answer of refused) {
    expectError(answer, 429, "concurrency_limit");
    expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
  }
});

test("a create says how many open tasks the account may have and how many more, accepted or refused", async () => {
  const { key } = await bed.openAccount({ openTasksMax: 2 });
  const reported: (string | null)[] = [];
  for (let n = 0; n < 3; n++) {
    const { headers } = await call(createPath, { key, body: goodBody });
    expect(headers.get("ratelimit-policy")).toMatch(/^"key";q=\d+;w=60, "open-tasks";q=2$/);
    reported.push(/, ("open-tasks".*)$/.exec(headers.get("ratelimit") ?? "")?.[1] ?? null);
  }
  expect(reported).toEqual(['"open-tasks";r=1', '"open-tasks";r=0', '"open-tasks";r=0']);
});

test("500: an internal failure is reported without its details", async () => {
  const account = await bed.openAccount();
  await bed.database.sql("alter table tasks rename to tasks_away");
  try {
    const answer = await call(createPath, { key: account.key, body: goodBody });
    expectError(answer, 500, "internal_error");
    expect(JSON.stringify(answer.json)).not.toContain("relation");
  } finally {
    await bed.database.sql("alter table tasks_away rename to tasks");
  }
});

test("402: a price above maxCredits has a code of its own and holds nothing; at the price it passes", async () => {
  const { key } = await bed.openAccount();
  const refused = await call(createPath, { key, body: { ...goodBody, maxCredits: 29 } });
  expectError(refused, 402, "price_above_max");
  expect(refused.json.message).toContain("30");
  expect(refused.json.message).toContain("29");
  const credits = await call("/api/v1/account/credits", { key });
  expect(credits.json).toMatchObject({ credits: 10_000, availableCredits: 10_000 });
  for (const maxCredits of [30, null])
    expect((await call(createPath, { key, body: { ...goodBody, maxCredits } })).status).toBe(200);
});

test("429 comes before the 402 of maxCredits", async () => {
  const { key } = await bed.openAccount({ openTasksMax: 0 });
  const answer = await call(createPath, { key, body: { ...goodBody, maxCredits: 1 } });
  expectError(answer, 429, "concurrency_limit");
});

test.each([-1, 1.5, "30", true, {}])("400: maxCredits %j", async (maxCredits) => {
  const { key } = await bed.openAccount();
  const answer = await call(createPath, { key, body: { ...goodBody, maxCredits } });
  expectError(answer, 400, "invalid_parameters");
  expect(answer.json.param).toBe("maxCredits");
});

test("an input that points into a private network is refused by its name, for every list of files", async () => {
  const { key } = await bed.openAccount();
  const reference = { videoInputMode: "reference", resolution: "720x720" };
  const secret = "http://169.254.169.254/latest";
  const good = "https://example.com/a.png";
  for (const [param, model, inputs] of [
    ["inputs.urls[0]", "sd2", { urls: [secret] }],
    ["inputs.urls[1]", "sd2", { urls: [good, "http://10.0.0.1/"] }],
    ["inputs.audioUrls[0]", "sd2-fast", { ...reference, urls: [good], audioUrls: [secret] }],
    ["inputs.urls[0]", "happyhorse", { urls: ["https://[fd00::1]/a.png"] }],
    ["inputs.urls[1]", "image-pro-2", { prompt: "x", urls: [good, "https://192.168.1.1/"] }],
  ] as const) {
    const answer = await call(createPath, { key, body: { model, inputs } });
    expectError(answer, 400, "invalid_parameters");
    expect(answer.json.param).toBe(param);
  }
});
