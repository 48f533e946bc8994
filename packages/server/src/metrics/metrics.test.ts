import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { seriesMax } from "./bound-labels.ts";
import { createMetrics } from "./create-metrics.ts";
import { familyOf, type Metric, valuesMaxOf } from "./define-metric.ts";
import { metricTable } from "./metric-table.ts";
import { createSilentMetrics } from "./silent-metrics.ts";

const table: Record<string, Metric> = metricTable;

test("a counter starts at zero, a histogram has cumulative buckets, and the text ends as OpenMetrics must", async () => {
  const { metrics, render, close } = createMetrics(() => null);
  metrics.wakeUps.add({ outcome: "sent" });
  metrics.taskSubmitSeconds.record(0.2, { model: "sd-2" });
  metrics.taskSubmitSeconds.record(7, { model: "sd-2" });
  metrics.poolWaiting.observe(() => [[3, { state: "turn" }]]);
  for (const left of [50, 49]) metrics.vendorRequestsLeft.set(left, { vendor_account: "a" });
  const text = await render();
  expect(text).toContain("# TYPE zoetrope_wake_ups counter\n");
  expect(text).toContain('zoetrope_wake_ups_total{outcome="sent"} 1\n');
  expect(text).toContain('zoetrope_wake_ups_total{outcome="dropped"} 0\n');
  expect(text).toContain("# UNIT zoetrope_task_submit_seconds seconds\n");
  expect(text).toContain('zoetrope_task_submit_seconds_bucket{model="sd-2",le="0.25"} 1\n');
  expect(text).toContain('zoetrope_task_submit_seconds_bucket{model="sd-2",le="10.0"} 2\n');
  expect(text).toContain('zoetrope_task_submit_seconds_bucket{model="sd-2",le="+Inf"} 2\n');
  expect(text).toContain('zoetrope_task_submit_seconds_sum{model="sd-2"} 7.2\n');
  expect(text).toContain('zoetrope_pool_waiting{state="turn"} 3\n');
  expect(text).toContain('zoetrope_vendor_requests_left{vendor_account="a"} 49\n');
  expect(text).toMatch(/\n# EOF\n$/);
  await close();
});

test("the newest recorded trace of each bucket is its exemplar; a unit of work without one leaves none", async () => {
  let traceId: string | null = "a".repeat(32);
  const { metrics, render, close } = createMetrics(() => traceId);
  metrics.taskFinishSeconds.record(3, { kind: "generation", mode: "live", model: "sd-2" });
  traceId = "b".repeat(32);
  metrics.taskFinishSeconds.record(4, { kind: "generation", mode: "live", model: "sd-2" });
  traceId = null;
  metrics.taskFinishSeconds.record(4.5, { kind: "generation", mode: "live", model: "sd-2" });
  metrics.taskFinishSeconds.record(100_000, { kind: "generation", mode: "live", model: "sd-2" });
  const lines = (await render()).split("\n").filter((line) => line.includes(" # "));
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatch(/le="5.0"} 3 # \{trace_id="b{32}"\} 4 \d+\.\d{3}$/);
  await close();
});

test("no label of any metric grows without bound, whatever is recorded", async () => {
  const { metrics, render, close } = createMetrics(() => null);
  const count = 3_000;
  for (const [name, metric] of Object.entries(table)) {
    const hostile = (n: number) =>
      Object.fromEntries(Object.keys(metric.labels).map((label) => [label, `v"\n${n}`]));
    const instrument = metrics[name as keyof typeof metrics] as unknown as Record<
      "add" | "record" | "observe",
      (...args: unknown[]) => void
    >;
    const numbers = Array.from({ length: count }, (_, n) => n);
    if (metric.kind === "counter") for (const n of numbers) instrument.add(hostile(n));
    else if (metric.kind === "histogram") for (const n of numbers) instrument.record(n, hostile(n));
    else instrument.observe(() => numbers.map((n) => [n, hostile(n)]));
  }
  const lines = (await render()).split("\n");
  for (const metric of Object.values(table)) {
    const family = familyOf(metric);
    const suffix = { counter: "_total", gauge: "", histogram: "_count" }[metric.kind];
    const series = lines.filter((line) => new RegExp(`^${family}${suffix}[ {]`).test(line));
    const product = Object.values(metric.labels).reduce((all, one) => all * valuesMaxOf(one), 1);
    expect(series.length, family).toBeGreaterThan(0);
    expect(series.length, family).toBeLessThanOrEqual(Math.min(product, seriesMax + 1));
  }
  await close();
});

test("silent metrics take everything and show nothing", async () => {
  const { metrics, render, close } = createSilentMetrics();
  expect(Object.keys(metrics)).toEqual(Object.keys(table));
  metrics.wakeUps.add({ outcome: "sent" });
  metrics.taskSubmitSeconds.record(0.2, { model: "sd-2" });
  metrics.rowsParked.observe(() => [[3, {}]])();
  metrics.vendorRequestsLeft.set(1, { vendor_account: "a" });
  expect(await render()).toBe("# EOF\n");
  await close();
});

test("no label is named after an account of ours, a task, a key or a URL", () => {
  for (const metric of Object.values(table))
    for (const label of Object.keys(metric.labels))
      expect(label).toMatch(
        /^(route|status|kind|model|operation|outcome|age|vendor_account|loop|state|part|partition|mode|reason)$/,
      );
});

test("names and units follow the rules of OpenMetrics, and every metric says what it is", () => {
  const families = Object.values(table).map(familyOf);
  expect(new Set(families).size).toBe(families.length);
  for (const metric of Object.values(table)) {
    expect(familyOf(metric)).toMatch(/^zoetrope_[a-z_]+$/);
    expect(familyOf(metric)).not.toMatch(/_(total|count|sum|bucket|info|created)$/);
    expect(metric.help.length).toBeGreaterThan(10);
    if (metric.kind === "histogram")
      expect(metric.bounds).toEqual([...metric.bounds].sort((a, b) => a - b));
  }
});

test("a record costs less processor time than twenty hashes of a short text", async () => {
  const { metrics, close } = createMetrics(() => null);
  const text = "x".repeat(64);
  const microsecondsOf = (work: () => void) => {
    for (let n = 0; n < 2_000; n++) work(); // compiled by now
    const before = process.cpuUsage();
    for (let n = 0; n < 20_000; n++) work();
    return process.cpuUsage(before).user / 20_000;
  };
  const hash = microsecondsOf(() => createHash("sha256").update(text).digest("hex"));
  const labels = { kind: "generation", mode: "live", model: "sd-2" } as const;
  const counted = microsecondsOf(() => metrics.tasksAccepted.add(labels));
  const timed = microsecondsOf(() => metrics.taskFinishSeconds.record(1, labels));
  expect(counted).toBeLessThan(20 * hash);
  expect(timed).toBeLessThan(20 * hash);
  await close();
});
