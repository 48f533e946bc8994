import { openPool } from "../db/database.ts";
import type { Waker } from "../engine/waker.ts";
import type { Storage } from "../media/storage/storage.ts";
import { withinMs } from "../within-ms.ts";

/** What a process depends on. Without a vital part it can do nothing; without another it does less. */
export interface HealthPart {
  isVital: boolean;
  /** Throws, or takes too long, when the part does not work. */
  check(): Promise<void>;
}

interface PartReport {
  status: "ok" | "failed";
  /** When it began to be so, as far as this process saw. */
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
  /** From now on not ready: this process is leaving. */
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
        checked = { at: Number.POSITIVE_INFINITY, done: checkAll() }; // until it is done, all share it
      await checked.done;
      return { status: statusNow(), parts: { ...reports } };
    },
    drain() {
      isDraining = true;
    },
    close,
  };
}

interface Services {
  databaseUrl: string;
  storage: Storage;
  waker: Waker;
}

/**
 * The parts that api and worker share. The database is asked on a connection of its own: a busy pool is
 * no outage, and a flood of questions takes nothing from the pool.
 */
export function watchServices({ databaseUrl, storage, waker }: Services): {
  parts: Record<"database" | "storage" | "engine", HealthPart>;
  close(): Promise<void>;
} {
  const pool = openPool(databaseUrl, 1, "zoetrope health");
  return {
    parts: {
      database: {
        isVital: true,
        async check() {
          await pool.query({ text: "select 1" });
        },
      },
      // Tasks are accepted, read and refused without these two; what needs them waits as a row.
      storage: { isVital: false, check: () => storage.check() },
      engine: { isVital: false, check: () => waker.check(checkMsMax) },
    },
    close: () => pool.end(),
  };
}

/** 503 takes a process out of a load balancer. Out of the draining ones, and those that can do nothing. */
export function statusOfReport({ status }: HealthReport): 200 | 503 {
  return status === "ready" || status === "degraded" ? 200 : 503;
}
