import type { Pool } from "pg";
import type { Metrics } from "./create-metrics.ts";

const lagEveryMs = 100;

/** The pool and the event loop of this process. Returns what ends it. */
export function observeProcess(metrics: Metrics, pool: Pool): () => void {
  const observers = [
    metrics.poolConnections.observe(() => [
      [pool.totalCount - pool.idleCount, { state: "used" }],
      [pool.idleCount, { state: "idle" }],
    ]),
    metrics.poolConnectionsMax.observe(() => [[pool.options.max ?? 0, {}]]),
    metrics.poolWaiting.observe(() => [[pool.waitingCount, { state: "connection" }]]),
  ];
  let dueAt = performance.now() + lagEveryMs;
  const timer = setInterval(() => {
    const now = performance.now();
    metrics.eventLoopLag.record((now - dueAt) / 1000, {});
    dueAt = now + lagEveryMs;
  }, lagEveryMs).unref();
  return () => {
    clearInterval(timer);
    for (const stop of observers) stop();
  };
}
