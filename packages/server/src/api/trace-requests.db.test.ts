import { startCollector } from "@zoetrope/testkit/start-collector.ts";
import { startReceiver } from "@zoetrope/testkit/start-receiver.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestBed, type TestBed } from "../../test/harness/test-context.ts";
import { withoutUndefined } from "../http/without-undefined.ts";
import { startTracing } from "../tracing/start-tracing.ts";
import { continueTrace } from "../tracing/trace-context.ts";
import { call } from "../vendors/call.ts";
import { buildApi } from "./build-api.ts";
import { requestsOfTraceMax } from "./trace-requests.ts";

const cleanUp = new AsyncDisposableStack();
let collector: Awaited<ReturnType<typeof startCollector>>;
let tracing: ReturnType<typeof startTracing>;
let always: TestBed;
let never: TestBed;
beforeAll(async () => {
  collector = cleanUp.use(await startCollector());
  always = cleanUp.use(await openTestBed({ OTLP_ENDPOINT: collector.url, TRACE_RATIO: "1" }));
  never = cleanUp.use(await openTestBed({ OTLP_ENDPOINT: collector.url, TRACE_RATIO: "0" }));
  tracing = startTracing(collector.url, "test", always.ctx.log);
});
afterAll(() => cleanUp.disposeAsync());

const traceIdOf = (n: number) => n.toString(16).padStart(32, "a");
const parentOf = (n: number, flags = "01") => `00-${traceIdOf(n)}-b7ad6b7169203331-${flags}`;

type Sent = { key: string; traceparent?: string };

/** Sends requests one after the other, and one more that is traced: when it has arrived, so have the others. */
async function send(bed: TestBed, requests: readonly Sent[]): Promise<void> {
  const app = await buildApi(bed.ctx);
  for (const { key, traceparent } of requests)
    await app.inject({
      url: "/api/v1/account/credits",
      headers: withoutUndefined({ authorization: `Bearer ${key}`, traceparent }),
    });
  await app.close();
}

const spansOf = (n: number) =>
  collector.spans().filter(({ traceId }) => traceId === traceIdOf(n)).length;

/** Spans are sent in their order: when this one has arrived, so have all before it. */
async function allSent(n: number): Promise<void> {
  const { key } = await always.openAccount();
  await send(always, [{ key, traceparent: parentOf(n) }]);
  await expect.poll(() => spansOf(n), { timeout: 120_000 }).toBe(1);
}

test("a caller's traceparent gives the id of the trace; whether it is recorded is not the caller's decision", async () => {
  const sampled = await always.openAccount();
  const unsampled = await never.openAccount();
  await send(always, [
    { key: sampled.key, traceparent: parentOf(1, "01") },
    { key: sampled.key, traceparent: parentOf(2, "00") },
  ]);
  await send(never, [{ key: unsampled.key, traceparent: parentOf(3, "01") }]);
  await allSent(4);
  expect([1, 2, 3].map(spansOf)).toEqual([1, 1, 0]);
});

test("a trace of one caller takes a bounded number of requests, and none of another account", async () => {
  const one = await always.openAccount();
  const other = await always.openAccount();
  const requests = Array.from({ length: requestsOfTraceMax + 5 }, () => ({
    key: one.key,
    traceparent: parentOf(5),
  }));
  await send(always, [
    { key: one.key, traceparent: parentOf(6) },
    { key: other.key, traceparent: parentOf(6) },
    ...requests,
  ]);
  await allSent(7);
  expect(spansOf(6)).toBe(1);
  expect(spansOf(5)).toBe(requestsOfTraceMax);
});

test("a malformed traceparent is ignored, and a request without a valid key leaves no span", async () => {
  const { key } = await always.openAccount();
  const before = new Set(collector.spans().map(({ spanId }) => spanId));
  await send(always, [
    { key, traceparent: "00-garbage" },
    { key: "zoe_live_unknown", traceparent: parentOf(8) },
  ]);
  await allSent(9);
  expect(spansOf(8)).toBe(0);
  const added = collector.spans().filter(({ spanId }) => !before.has(spanId));
  expect(added).toHaveLength(2);
  expect(added[0]).toMatchObject({
    name: "GET /api/v1/account/credits",
    parentSpanId: null,
    attributes: { "http.response.status_code": 200 },
  });
});

test("a call to a vendor within a trace carries it, and one outside of a trace carries none", async () => {
  await using vendor = await startReceiver();
  const { url } = vendor;
  const ask = () => call({ method: "GET", url, headers: {}, totalMsMax: 60_000 });
  await continueTrace(parentOf(10), ask);
  await ask();
  const [within, outside] = vendor.received.map(({ headers }) => headers["traceparent"]);
  expect(within).toMatch(new RegExp(`^00-${traceIdOf(10)}-[0-9a-f]{16}-01$`));
  expect(within).not.toBe(parentOf(10)); // a span of its own
  expect(outside).toBeUndefined();
});

test("a collector that is away neither delays nor fails what is traced", async () => {
  const { key } = await always.openAccount();
  await collector[Symbol.asyncDispose]();
  await send(always, [{ key, traceparent: parentOf(11) }]);
  await tracing.close();
});
