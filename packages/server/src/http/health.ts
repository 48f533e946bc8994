import { openConnections } from "../db/connections.ts";
import type { Waker } from "../engine/waker.ts";
import { withinMs } from "../flow/within-ms.ts";
import type { Storage } from "../media/storage/storage.ts";
import type { Metrics } from "../metrics/create-metrics.ts";
import type { Config } from "../settings/config.ts";

/**
 * A dependency of a process. Without a vital part the process cannot work; without another it is
 * degraded.
 */
export interface HealthPart {
  isVital: boolean;
  /** Throws or times out if the part does not work. */
  check(): Promise<void>;
}

interface PartReport {
  status: "ok" | "failed";
  /** Since when, as seen by this process. */
  since: string;
}

export interface HealthReport {
  /** `degraded`: it works, but for a part that is not vital. Only `unready` and `draining` are 503. */
  status: "ready" | "degraded" | "unready" | "draining";
  parts: Record<string, PartReport>;
}

export interface Health {
  /** Never throws, takes a bounded time, and checks at most once a second however often it is called. */
  read(): Promise<HealthReport>;
  /** Makes the process not ready from now on, because it is shutting down. */
  drain(): void;
  close(): Promise<void>;
}

const checkMsMax = 1_500;
const rememberMs = 1_000;

export function createHealth(
  parts: Record<string, HealthPart>,
  close: () => Promise<void> = async () => {},
): Health {
  const reports: Record<string, PartReport> = {};
  let isDraining = false;
  let checked: { at: number; done: Promise<void> } | undefined;

  async function check(name: string, part: HealthPart): Promise<void> {
    const isOk = await withinMs(checkMsMax, part.check()).then(
      () => true,
      () => false,
    );
    const status = isOk ? "ok" : "failed";
    if (reports[name]?.status !== status)
      reports[name] = { status, since: new Date().toISOString() };
  }

  async function checkAll(): Promise<void> {
    await Promise.all(Object.entries(parts).map(([name, part]) => check(name, part)));
    if (checked !== undefined) checked.at = performance.now();
  }

  function statusNow(): HealthReport["status"] {
    if (isDraining) return "draining";
    const failed = Object.entries(parts).filter(([name]) => reports[name]?.status !== "ok");
    if (failed.length === 0) return "ready";
    return failed.some(([, part]) => part.isVital) ? "unready" : "degraded";
  }

  return {
    async read() {
      if (checked === undefined || checked.at < performance.now() - rememberMs)
        checked = { at: Number.POSITIVE_INFINITY, done: checkAll() }; // concurrent readers share one check
      await checked.done;
      return { status: statusNow(), parts: { ...reports } };
    },
    drain() {
      isDraining = true;
    },
    close,
  };
}

/** Exports the parts as metrics. Returns a function that ends it. */
export function observeParts(metrics: Metrics, health: Health): () => void {
  return metrics.partUp.observe(async () => {
    const { parts } = await health.read();
    return Object.entries(parts).map(
      ([part, { status }]) => [status === "ok" ? 1 : 0, { part }] as const,
    );
  });
}

interface Services {
  config: Pick<Config, "database">;
  storage: Storage;
  waker: Waker;
}

/**
 * The parts that api and worker share. The database is checked on its own connection: a busy pool is
 * not an outage, and health checks do not use up the pool.
 */
export function openServiceChecks({ config, storage, waker }: Services): {
  parts: Record<"database" | "storage" | "engine", HealthPart>;
  close(): Promise<void>;
} {
  const { url, sessionUrl } = config.database;
  const pool = openConnections(url, 1, "zoetrope health", sessionUrl !== null);
  return {
    parts: {
      database: {
        isVital: true,
        async check() {
          await pool.query({ text: "select 1" });
        },
      },
      // Tasks are accepted and read without these two; what needs them waits as a row.
      storage: { isVital: false, check: () => storage.check() },
      engine: { isVital: false, check: () => waker.check(checkMsMax) },
    },
    close: () => pool.end(),
  };
}

/** 503 takes a process out of a load balancer: one that is draining or cannot work. */
export function statusOfReport({ status }: HealthReport): 200 | 503 {
  return status === "ready" || status === "degraded" ? 200 : 503;
}
