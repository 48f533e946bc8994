import type { Metrics } from "./create-metrics.ts";

const lagEveryMs = 100;

/** The part of connections to a database that is measured. */
interface Observed {
  connectionsMax: number;
  usage(): { used: number; idle: number; waiting: number };
}

/** The connections and the event loop of this process. Returns what ends it. */
export function observeProcess(metrics: Metrics, pool: Observed): () => void {
  const observers = [
    metrics.poolConnections.observe(() => [
      [pool.usage().used, { state: "used" }],
      [pool.usage().idle, { state: "idle" }],
    ]),
    metrics.poolConnectionsMax.observe(() => [[pool.connectionsMax, {}]]),
    metrics.poolWaiting.observe(() => [[pool.usage().waiting, { state: "connection" }]]),
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
