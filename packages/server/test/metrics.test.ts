import { readFile } from "node:fs/promises";
import type { RunningProcess } from "@zoetrope/dev/services/process.ts";
import { waitUntil } from "@zoetrope/dev/services/wait-until.ts";
import { type Stack, startStack } from "@zoetrope/dev/stack.ts";
import { type Client, createClient } from "@zoetrope/testkit/api-client.ts";
import { makeScratch } from "@zoetrope/testkit/services/scratch.ts";
import { startReceiver } from "@zoetrope/testkit/start-receiver.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { familyOf, type Metric } from "../src/metrics/define-metric.ts";
import { metricTable } from "../src/metrics/metric-table.ts";

const waitMsMax = 150_000;
const cleanUp = new AsyncDisposableStack();
let stack: Stack;
let client: Client;
beforeAll(async () => {
  const scratch = cleanUp.use(await makeScratch("metrics"));
  stack = cleanUp.use(
    await startStack({
      dir: scratch.path,
      serverEnv: { OPS_PORT: "0", POLL_FIRST_MS: "500" },
      sandboxEnv: { SANDBOX_QUEUED_MS: "100", SANDBOX_RUNNING_MS: "200" },
    }),
  );
  const { key } = await stack.openAccount({ name: "a", credits: 10_000, openTasksMax: 50 });
  client = createClient(stack.apiUrl, key);
});
afterAll(() => cleanUp.disposeAsync());

async function scrape(server: RunningProcess): Promise<string> {
  const log = await readFile(server.logFile, "utf8");
  const [, port] = /"event":"ops\.served","port":(\d+)/.exec(log) ?? [];
  const response = await fetch(`http://127.0.0.1:${port}/metrics`);
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toContain("application/openmetrics-text");
  return response.text();
}

/** Waits until the process has a sample that begins like this and is not zero. */
async function shows(server: RunningProcess, sample: string): Promise<void> {
  const isShown = async () =>
    (await scrape(server)).split("\n").some((line) => line.startsWith(sample) && !/ 0$/.test(line));
  await waitUntil(`${server.name} shows ${sample}`, isShown, {
    timeoutMs: waitMsMax,
    intervalMs: 1_000,
  });
}

test("a task from acceptance to callback is seen in the metrics of api and worker", async () => {
  await using receiver = await startReceiver();
  const taskId = await client.create("sd2", { prompt: "a fox" }, { callBackUrl: receiver.hookUrl });
  expect((await client.finished(taskId, waitMsMax)).status).toBe("COMPLETED");
  await receiver.arrived(1);

  const { api, worker } = stack;
  await shows(api, 'zoetrope_tasks_accepted_total{kind="generation",mode="live",model="sd2"}');
  await shows(api, 'zoetrope_http_requests_total{route="');
  await shows(api, "zoetrope_http_request_duration_seconds_count{");
  await shows(api, 'zoetrope_wake_ups_total{outcome="sent"}');
  await shows(api, 'zoetrope_part_up{part="database"}');
  const sd2 = 'kind="generation",mode="live",model="sd2"';
  await shows(worker, `zoetrope_tasks_finished_total{${sd2},outcome="completed"}`);
  await shows(worker, 'zoetrope_task_submit_seconds_count{model="sd2"}');
  await shows(worker, "zoetrope_task_vendor_end_seconds_count{vendor_account=");
  await shows(worker, `zoetrope_task_finish_seconds_count{${sd2}}`);
  await shows(worker, "zoetrope_task_callback_seconds_count");
  await shows(worker, "zoetrope_vendor_submits_total{vendor_account=");
  await shows(worker, "zoetrope_vendor_polls_total{vendor_account=");
  await shows(worker, 'zoetrope_delivery_attempts_total{outcome="delivered"}');
  await shows(worker, 'zoetrope_loop_alive{loop="measure"}');
  await shows(worker, "zoetrope_event_loop_lag_seconds_count");
  await shows(worker, "zoetrope_work_dir_free_bytes");
  await shows(worker, 'zoetrope_storage_operations_total{operation="put",outcome="done"}');
  await shows(worker, "zoetrope_storage_written_bytes_total");
});

test("every gauge is shown by the worker, with a value also where there is nothing", async () => {
  // Shown where a vendor tells, where an address is https, and by the api alone.
  const { vendorRequestsLeft: _left, certificateExpiry: _expiry, ...more } = metricTable;
  const { createsWaiting: waiting, ...all } = more;
  expect((await scrape(stack.api)).split("\n")).toContain(`${familyOf(waiting)} 0`);
  const gauges = Object.values<Metric>(all).filter(({ kind }) => kind === "gauge");
  const missing = async () => {
    const lines = (await scrape(stack.worker)).split("\n");
    return gauges.map(familyOf).filter((name) => !lines.some((line) => line.startsWith(name)));
  };
  await waitUntil("every gauge is shown", async () => (await missing()).length === 0, {
    timeoutMs: waitMsMax,
    intervalMs: 1_000,
  });
});

test("no metric names an account, a task, a key or an address of a customer", async () => {
  for (const server of [stack.api, stack.worker]) {
    const text = await scrape(server);
    expect(text).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}/);
    expect(text).not.toMatch(/https?:\/\/|Bearer|127\.0\.0\.1/);
  }
});

test("the ops port serves metrics and nothing else, and the api's public port serves none", async () => {
  expect((await fetch(`${stack.apiUrl}/metrics`)).status).toBe(404);
  const log = await readFile(stack.worker.logFile, "utf8");
  const [, port] = /"event":"ops\.served","port":(\d+)/.exec(log) ?? [];
  expect((await fetch(`http://127.0.0.1:${port}/`)).status).toBe(404);
});
