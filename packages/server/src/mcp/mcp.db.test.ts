import { waitUntil } from "@zoetrope/dev/services/wait-until.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestBed, type TestBed } from "../../test/harness/test-context.ts";
import { buildApi } from "../api/build-api.ts";
import { withoutUndefined } from "../http/without-undefined.ts";
import { createLog } from "../log.ts";

const bodyBytesMax = 128 * 1024;
const callsAtOnceMax = 32;
const accept = { accept: "application/json, text/event-stream" };

let bed: TestBed;
let api: Awaited<ReturnType<typeof buildApi>>;
const lines: { event: string; requestId: string; route?: string; accountId?: string }[] = [];
beforeAll(async () => {
  bed = await openTestBed({ PUBLIC_URL: "http://127.0.0.1:8080" });
  const log = createLog("info", "test", { write: (line) => void lines.push(JSON.parse(line)) });
  api = await buildApi({ ...bed.ctx, log });
});
afterAll(async () => {
  await api.close();
  await bed[Symbol.asyncDispose]();
});

const list = { jsonrpc: "2.0", id: 1, method: "tools/list", params: {} };
const toolCall = (name: string, given: object) => ({
  ...list,
  method: "tools/call",
  params: { name, arguments: given },
});

async function post(key: string | null, body: object, headers = {}) {
  const answer = await api.inject({
    method: "POST",
    url: "/mcp",
    payload: body,
    remoteAddress: "192.0.2.7",
    headers: withoutUndefined({
      ...accept,
      authorization: key === null ? undefined : `Bearer ${key}`,
      ...headers,
    }),
  });
  const message = /^data: (.*)$/m.exec(answer.body)?.[1] ?? answer.body;
  const { statusCode: status, headers: given } = answer;
  return { status, headers: given, body: message === "" ? null : JSON.parse(message) };
}

test("without a valid key: 401 with what to send, whatever the cookie", async () => {
  const challenge = { "www-authenticate": 'Bearer realm="zoetrope"' };
  const refused = { status: 401, body: { code: "unauthorized" }, headers: challenge };
  expect(await post(null, list)).toMatchObject(refused);
  expect(await post("zoe_live_none", list)).toMatchObject(refused);
  expect(await post(null, list, { cookie: "__Host-session=any" })).toMatchObject(refused);
});

test("a page of another site is refused, also under a name that it led here", async () => {
  const { key } = await bed.openAccount();
  const refused = { status: 403, body: { code: "origin_refused" } };
  expect(await post(key, list, { origin: "https://evil.example.com" })).toMatchObject(refused);
  expect(await post(key, list, { host: "evil.example.com" })).toMatchObject(refused);
  expect((await post(key, list)).body.result.tools).toHaveLength(9);
});

test("other methods are answered 405 and large messages 413", async () => {
  const { key } = await bed.openAccount();
  for (const method of ["GET", "DELETE"] as const)
    expect((await api.inject({ method, url: "/mcp" })).statusCode).toBe(405);
  const large = toolCall("get_task", { taskId: "x".repeat(bodyBytesMax) });
  expect((await post(key, large)).status).toBe(413);
});

test("the calls of a tool have the request's id in the log, and count for its key", async () => {
  const { key, id } = await bed.openAccount({ limits: { requestsPerMinuteMax: 3 } });
  const { headers } = await post(key, toolCall("list_models", {}));
  const own = lines.filter(({ requestId }) => requestId === headers["x-request-id"]);
  expect(own).toMatchObject([
    { event: "request.completed", route: "/api/v1/models", status: 200, accountId: id },
    { event: "request.completed", route: "/mcp", status: 200, accountId: id },
  ]);
  expect((await post(key, list)).status).toBe(200);
  expect((await post(key, list)).status).toBe(429);
});

test("a suspended account can read, and creates nothing", async () => {
  const { key, id } = await bed.openAccount();
  await bed.ctx.db
    .updateTable("accounts")
    .set({ suspended_at: new Date() })
    .where("id", "=", id)
    .execute();
  const read = await post(key, toolCall("list_models", {}));
  expect(read.body.result.isError).toBeUndefined();
  const inputs = { prompt: "a fox" };
  const made = await post(key, toolCall("generate", { model: "sd2", inputs, maxCredits: 500 }));
  expect(made.body.result.content[0].text).toContain("account_suspended");
});

test("an account has a bounded number of calls at once, and a client that leaves makes room", async () => {
  const { key } = await bed.openAccount();
  const { key: other } = await bed.openAccount();
  const headers = { authorization: `Bearer ${key}` };
  const task = { model: "sd2-fast", inputs: { prompt: "a fox" } };
  const created = await api.inject({
    method: "POST",
    url: "/api/v1/jobs/createTask",
    headers,
    payload: task,
  });
  const { taskId } = created.json();
  const url = `${await api.listen({ port: 0, host: "127.0.0.1" })}/mcp`;
  const leave = new AbortController();
  const body = JSON.stringify(toolCall("get_task", { taskId, waitSeconds: 50 }));
  const waitOnAndOn = async () => {
    while (!leave.signal.aborted)
      // a call ends after 50 s, a busy machine takes longer to reach the limit
      await fetch(url, {
        method: "POST",
        body,
        signal: leave.signal,
        headers: { ...headers, ...accept, "content-type": "application/json" },
      })
        .then((answer) => answer.text())
        .catch(() => null); // left before the response, or in the middle of it
  };
  const waiting = Array.from({ length: callsAtOnceMax }, waitOnAndOn);
  const isFull = async () => (await post(key, list)).body.code === "too_many_requests";
  await waitUntil("the limit", isFull, { timeoutMs: 300_000 });
  expect((await post(other, list)).status).toBe(200);
  leave.abort();
  await Promise.all(waiting);
  await waitUntil("room", async () => (await post(key, list)).status === 200, {
    timeoutMs: 300_000,
  });
});
