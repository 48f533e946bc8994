import { ConcurrencyLimitError } from "./errors.ts";
import { sleep } from "./sleep.ts";

export interface BatchOptions {
  /** How many tasks at once; `account`: as many as the account may have. */
  concurrency?: number | "account" | undefined;
  signal?: AbortSignal | undefined;
}

export type BatchResult<Value> =
  | { index: number; status: "completed"; value: Value }
  | { index: number; status: "failed"; error: unknown };

/** The least that an account may have, unless the operator lowered it. */
const concurrencyUsual = 3;
const retryMs = 2_000;

/**
 * Runs every job, as many at once as allowed, and answers each result as soon as it is there. One that
 * fails stops no other. Where something else uses the account too, a job that finds no room waits.
 */
export async function* runBatch<Value>(
  jobs: readonly ((signal: AbortSignal | undefined) => Promise<Value>)[],
  { concurrency = "account", signal }: BatchOptions,
): AsyncGenerator<BatchResult<Value>> {
  const atOnceMax = concurrency === "account" ? concurrencyUsual : concurrency;
  const running = new Map<number, Promise<BatchResult<Value>>>();
  let next = 0;
  while (next < jobs.length || running.size > 0) {
    signal?.throwIfAborted();
    while (running.size < atOnceMax && next < jobs.length) {
      const index = next++;
      const job = jobs[index];
      if (job !== undefined) running.set(index, runOne(job, index, signal));
    }
    const result = await Promise.race(running.values());
    running.delete(result.index);
    yield result;
  }
}

async function runOne<Value>(
  job: (signal: AbortSignal | undefined) => Promise<Value>,
  index: number,
  signal: AbortSignal | undefined,
): Promise<BatchResult<Value>> {
  for (;;)
    try {
      return { index, status: "completed", value: await job(signal) };
    } catch (error) {
      if (!(error instanceof ConcurrencyLimitError)) return { index, status: "failed", error };
      try {
        await sleep(Math.max(error.retryAfterMs ?? 0, retryMs), signal);
      } catch (aborted) {
        return { index, status: "failed", error: aborted };
      }
    }
}
