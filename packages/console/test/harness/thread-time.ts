import type { Page } from "playwright-core";
import { expect } from "vitest";

const done = "done";

/** Done in the task in which the content is in the page, with its layout. */
export const untilContent = (content: string) => `new Promise((resolve) => {
  const look = () => {
    if (document.querySelector(${JSON.stringify(content)}) === null) return;
    observer.disconnect();
    document.body.getBoundingClientRect();
    performance.mark("${done}");
    resolve();
  };
  const observer = new MutationObserver(look);
  observer.observe(document, { childList: true, subtree: true });
  look();
})`;

/** Always the same. */
export const fixedWork = `new Promise((resolve) => setTimeout(() => {
  for (let round = 0; round < 40; round++) {
    const rows = Array.from({ length: 2_000 }, (_, at) => ({ at, name: "row " + ((at * 7919) % 2_000) }));
    rows.sort((one, other) => (one.name < other.name ? -1 : 1));
    JSON.parse(JSON.stringify(rows));
  }
  performance.mark("${done}");
  resolve();
}))`;

interface TraceEvent {
  name: string;
  ph: string;
  pid: number;
  tid: number;
  /** The start in microseconds, like all times here. */
  ts: number;
  dur?: number;
  /** Processor time of the thread. */
  tdur?: number;
}

/** Milliseconds of processor time. */
export interface ThreadTime {
  main: number;
  /** The time of other threads, for scripts that the main thread waits for. */
  compiling: number;
}

/** Measures the time that a page's threads use up to the end of the task in which the expression is done. */
export async function threadTimeOf(
  page: Page,
  url: string,
  expression: string,
): Promise<ThreadTime> {
  const browser = page.context().browser();
  if (browser === null) throw new Error("This page has no browser.");
  const devtools = await page.context().newCDPSession(page);
  await browser.startTracing(page, {
    categories: ["toplevel", "blink.user_timing", "devtools.timeline"],
  });
  await page.goto(url, { waitUntil: "commit" });
  const told = await devtools.send("Runtime.evaluate", { expression, awaitPromise: true });
  const trace = JSON.parse(String(await browser.stopTracing())) as { traceEvents: TraceEvent[] };
  await devtools.detach();
  expect(told.exceptionDetails).toBeUndefined();
  return sumOfTasks(trace.traceEvents);
}

function sumOfTasks(events: readonly TraceEvent[]): ThreadTime {
  const mark = events.find(({ name, ph }) => name === done && ph !== "M");
  if (mark === undefined) throw new Error("The trace has no mark.");
  const before = events.filter(
    ({ ph, pid, ts }) => ph === "X" && pid === mark.pid && ts <= mark.ts,
  );
  const tasks = before
    .filter(({ name, tid }) => name.endsWith("RunTask") && tid === mark.tid)
    .sort((one, other) => one.ts - other.ts);
  let sum = 0;
  let until = 0; // a task within another one is counted with it
  for (const { ts, dur = 0, tdur = 0 } of tasks) {
    if (ts < until) continue;
    until = ts + dur;
    sum += tdur;
  }
  const compiling = before
    .filter(({ name }) => name === "v8.parseOnBackground")
    .reduce((all, { tdur = 0 }) => all + tdur, 0);
  return { main: sum / 1_000, compiling: compiling / 1_000 };
}
