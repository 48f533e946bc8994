import { serve } from "@zoetrope/testkit/serve.ts";
import { type Receiver, startReceiver } from "@zoetrope/testkit/start-receiver.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { call, readRetryAfter } from "../../src/vendors/call.ts";

let stub: Receiver;
beforeAll(async () => {
  stub = await startReceiver();
});
afterAll(() => stub[Symbol.asyncDispose]());

const get = (change: { url?: string; totalMsMax?: number; answerBytesMax?: number } = {}) =>
  call({ method: "GET", url: stub.url, headers: {}, totalMsMax: 5_000, ...change });

test.each([
  [{ "retry-after": "7" }, 7_000],
  [{ "retry-after": "0" }, 0],
  [{ "retry-after-ms": "250" }, 250],
  [{ "retry-after-ms": "250", "retry-after": "7" }, 250],
  [{ "retry-after": "soon" }, null],
  [{ "retry-after": "-1" }, null],
  [{ "retry-after": "Infinity" }, null],
  [{}, null],
])("%j says when to come again: %s", async (headers, retryAfterMs) => {
  stub.answer = () => ({ status: 429, body: {}, headers });
  expect(await get()).toEqual({ kind: "answered", status: 429, json: {}, retryAfterMs });
});

test("a date says when to come again, and one that has passed says now", () => {
  const now = Date.parse("Sun, 06 Nov 1994 08:49:07 GMT");
  const after = (text: string) => readRetryAfter({ "retry-after": text }, now);
  expect(after("Sun, 06 Nov 1994 08:49:37 GMT")).toBe(30_000);
  expect(after("Sunday, 06-Nov-94 08:49:37 GMT")).toBe(30_000);
  expect(after("Sun, 06 Nov 1994 08:40:00 GMT")).toBe(0);
  expect(after("Sun, 36 Nov 1994")).toBeNull();
});

test("an answer is read up to its limit, and half of one is no JSON", async () => {
  stub.answer = () => ({ status: 200, body: { text: "x".repeat(1_000) } });
  expect(await get({ answerBytesMax: 100 })).toMatchObject({ status: 200, json: undefined });
  expect(await get({ answerBytesMax: 10_000 })).toMatchObject({
    json: { text: expect.stringMatching(/^x+$/) },
  });
});

test("without a connection nothing was sent; without an answer nobody knows", async () => {
  expect(await get({ url: "http://127.0.0.1:9" })).toMatchObject({ kind: "unsent" });
  expect(await get({ url: "http://nobody.invalid" })).toMatchObject({ kind: "unsent" });
  stub.answer = () => new Promise(() => {});
  expect(await get({ totalMsMax: 200 })).toMatchObject({ kind: "lost" });
});

test("what changes nothing shares connections, and everything else has one of its own", async () => {
  stub.answer = () => ({ status: 200, body: {} });
  const before = stub.received.length;
  for (const method of ["GET", "POST", "PUT", "DELETE"] as const)
    await call({ method, url: stub.url, headers: {}, totalMsMax: 60_000 });
  const connections = stub.received.slice(before).map(({ headers }) => headers.connection);
  expect(connections).toEqual(["keep-alive", "close", "close", "close"]);
});

test("a shared connection that the vendor closes costs no answer", async () => {
  const used = new Set<unknown>();
  await using server = await serve((request, response) => {
    if (used.has(request.socket)) request.socket.destroy();
    used.add(request.socket);
    response.end("{}");
  });
  for (let n = 0; n < 4; n++)
    expect(await get({ url: server.url, totalMsMax: 60_000 })).toMatchObject({ kind: "answered" });
});
