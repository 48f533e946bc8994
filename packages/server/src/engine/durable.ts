import type { Config } from "../config.ts";

/** A vendor that answers with the result, or a large file, may take minutes. */
const stepMsMax = 10 * 60_000;

/**
 * How long a step waits for its turn at a semaphore. Then it throws and the engine retries it, so that
 * no invocation is held for longer than the engine allows.
 */
export const turnMsMax = 60_000;

/** A step is tried again for a while; then it is given up rather than hang. */
export function patienceOf(config: Config) {
  return {
    initialRetryInterval: 200,
    retryIntervalFactor: 2,
    maxRetryInterval: 10_000,
    maxRetryDuration: config.engine.stepRetryMsMax,
  };
}

/** For objects that keep nothing: rows are the truth, and loops over rows see to what is given up. */
export function objectOptionsOf(config: Config) {
  return {
    idempotencyRetention: 0,
    journalRetention: 0,
    abortTimeout: stepMsMax,
    retryPolicy: {
      maxAttempts: config.engine.attemptsMax,
      initialInterval: 500,
      exponentiationFactor: 2,
      maxInterval: 2_000, // after a crash the next worker is there within seconds
      onMaxAttempts: "kill" as const,
    },
  };
}
