/** Waits; rejects with the signal's reason as soon as it is aborted. */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", abort);
      resolve();
    }, ms);
    signal?.addEventListener("abort", abort, { once: true });
  });
}

/** Full jitter: anything from nothing to the whole of a delay that doubles. */
export function backoffMs(attempt: number, baseMs = 500, msMax = 8_000): number {
  return Math.random() * Math.min(msMax, baseMs * 2 ** attempt);
}
