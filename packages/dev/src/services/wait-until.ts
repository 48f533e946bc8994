import { setTimeout as delay } from "node:timers/promises";

interface WaitLimits {
  readonly timeoutMs: number;
  readonly intervalMs?: number;
  /** Ends the wait early and without an error; the caller knows why. */
  readonly signal?: AbortSignal;
}

/** An attempt. Its signal aborts when the wait is over, so that nothing is still under way after it. */
type Attempt = (signal: AbortSignal) => boolean | Promise<boolean>;

/**
 * Polls until `isTrue` says so. A throw counts as "not yet"; the last one becomes the cause of the
 * time-out error. The deadline also holds while an attempt hangs.
 */
export async function waitUntil(
  what: string,
  isTrue: Attempt,
  { timeoutMs, intervalMs = 25, signal }: WaitLimits,
): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  const over = new AbortController();
  let lastError: unknown;
  try {
    while (performance.now() < deadline) {
      if (signal?.aborted === true) return;
      try {
        if (await beforeDeadline(isTrue, deadline, over.signal)) return;
      } catch (error) {
        lastError = error;
      }
      await delay(intervalMs);
    }
  } finally {
    over.abort();
  }
  const reason = lastError === undefined ? "" : `; last try: ${describe(lastError)}`;
  throw new Error(`waited ${timeoutMs} ms in vain until ${what}${reason}`, { cause: lastError });
}

async function beforeDeadline(isTrue: Attempt, deadline: number, over: AbortSignal) {
  const timer = new AbortController();
  const expired = delay(Math.max(0, deadline - performance.now()), false, {
    signal: timer.signal,
  }).catch(() => false);
  try {
    return await Promise.race([isTrue(over), expired]);
  } finally {
    timer.abort();
  }
}

/** One line about an error; `fetch` hides the interesting half (ECONNREFUSED) in the cause. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message} (${error.cause.message})` : error.message;
}
