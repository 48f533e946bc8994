import type { Config } from "../settings/config.ts";

/** A vendor that returns the output in its response, or a large file, may take minutes. */
const stepMsMax = 10 * 60_000;

/**
 * The maximum time that a step waits for a permit. Then it throws and the engine retries it, so that no
 * invocation is held longer than the engine allows.
 */
export const permitWaitMsMax = 60_000;

/**
 * The retry policy of a step: growing delays up to a maximum time, after which the row waits for the
 * poller or the sweep.
 */
export function retryPolicyOf(config: Config) {
  return {
    initialRetryInterval: 200,
    retryIntervalFactor: 2,
    maxRetryInterval: 10_000,
    maxRetryDuration: config.engine.stepRetryMsMax,
  };
}

/**
 * Returns the options of objects without state: rows are the truth, and the loops over rows resume what the
 * engine gives up.
 */
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
