import { readFile } from "node:fs/promises";
import { waitUntil } from "@zoetrope/dev/services/wait-until.ts";
import { type Stack, startStack } from "@zoetrope/dev/stack.ts";
import { type Client, createClient } from "@zoetrope/testkit/api-client.ts";
import { makeScratch } from "@zoetrope/testkit/services/scratch.ts";
import { type CollectedSpan, startCollector } from "@zoetrope/testkit/start-collector.ts";
import { startReceiver } from "@zoetrope/testkit/start-receiver.ts";
import { afterAll, beforeAll, expect, test } from "vitest";

const waitMsMax = 300_000;
const traceId = "0af7651916cd43dd8448eb211c80319c";
const traceparent = `00-${traceId}-b7ad6b7169203331-00`;

const cleanUp = new AsyncDisposableStack();
let collector: Awaited<ReturnType<typeof startCollector>>;
let stack: Stack;
let client: Client;
let key: string;
beforeAll(async () => {
  const scratch = cleanUp.use(await makeScratch("traces"));
  collector = cleanUp.use(await startCollector());
  stack = cleanUp.use(
    await startStack({
      dir: scratch.path,
      serverEnv: {
        OTLP_ENDPOINT: collector.url,
        OPS_PORT: "0",
        TRACE_RATIO: "1",
        POLL_FIRST_MS: "600000", // only the vendor's callback tells the end
      },
      sandboxEnv: { SANDBOX_QUEUED_MS: "100", SANDBOX_RUNNING_MS: "200" },
    }),
  );
  key = (await stack.openAccount({ name: "a", credits: 10_000, openTasksMax: 50 })).key;
  client = createClient(stack.apiUrl, key);
});
afterAll(() => cleanUp.disposeAsync());

/** Spans below each other, each with its process; equal ones of one parent, such as two attempts, once. */
function renderTrace(spans: readonly CollectedSpan[]): string {
  const roots = spans.filter(
    ({ parentSpanId }) => !spans.some(({ spanId }) => spanId === parentSpanId),
  );
  const linesOf = (below: readonly CollectedSpan[], depth: number): string[] => {
    const parts = below.map((span) => {
      const status = span.attributes["http.response.status_code"];
      const line = `${span.service.padEnd(16)} ${"  ".repeat(depth)}${span.name}${status === undefined ? "" : ` → ${status}`}`;
      const children = spans.filter(({ parentSpanId }) => parentSpanId === span.spanId);
      return [line, ...linesOf(children, depth + 1)].join("\n");
    });
    return [...new Set(parts)];
  };
  return linesOf(roots, 0).join("\n");
}

test("one trace leads from createTask to the callback, as docs/traces.md shows it", async () => {
  await using receiver = await startReceiver();
  const response = await fetch(`${stack.apiUrl}/api/v1/jobs/createTask`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json", traceparent },
    body: JSON.stringify({
      model: "sd2",
      inputs: { prompt: "a fox" },
      callBackUrl: receiver.hookUrl,
    }),
  });
  const { taskId } = (await response.json()) as { taskId: string };
  expect((await client.finished(taskId, waitMsMax)).status).toBe("COMPLETED");
  const [callback] = await receiver.arrived(1);

  const ours = () => collector.spans().filter((span) => span.traceId === traceId);
  const isWhole = async () => ours().some(({ name }) => name === "deliver callback");
  await waitUntil("the trace has arrived", isWhole, { timeoutMs: waitMsMax, intervalMs: 200 });
  const document = await readFile(new URL("../../../docs/traces.md", import.meta.url), "utf8");
  const [, shown] = /```text\n(.*?)\n```/s.exec(document) ?? [];
  const rendered = () => renderTrace(ours());
  await expect.poll(rendered, { timeout: waitMsMax, interval: 500 }).toBe(shown);

  expect(callback?.headers["traceparent"]).toMatch(new RegExp(`^00-${traceId}-[0-9a-f]{16}-01$`));
  const ofTasks = ours().filter(({ attributes }) => "zoetrope.task.id" in attributes);
  expect(new Set(ofTasks.map(({ attributes }) => attributes["zoetrope.task.id"]))).toEqual(
    new Set([taskId]),
  );
  for (const [server, histogram] of [
    [stack.api, "zoetrope_http_request_duration_seconds"],
    [stack.worker, "zoetrope_task_submit_seconds"],
    [stack.worker, "zoetrope_task_vendor_end_seconds"],
    [stack.worker, "zoetrope_task_finish_seconds"],
    [stack.worker, "zoetrope_task_callback_seconds"],
  ] as const) {
    const log = await readFile(server.logFile, "utf8");
    expect(log).toContain(`"traceId":"${traceId}"`);
    const [, port] = /"event":"ops\.served","port":(\d+)/.exec(log) ?? [];
    const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    expect(metrics).toMatch(
      new RegExp(`^${histogram}_bucket.* # \\{trace_id="${traceId}"\\}`, "m"),
    );
  }
});

test("a request without a traceparent begins a trace of its own, which its receiver gets", async () => {
  await using receiver = await startReceiver();
  const taskId = await client.create("sd2", { prompt: "a fox" }, { callBackUrl: receiver.hookUrl });
  expect((await client.finished(taskId, waitMsMax)).status).toBe("COMPLETED");
  const [callback] = await receiver.arrived(1);
  expect(callback?.headers["traceparent"]).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/);
  expect(callback?.headers["traceparent"]).not.toContain(traceId);
});
