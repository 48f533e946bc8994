/** Settles as the work does, or rejects with the signal's reason at once, whether or not the work listens to it. */
export function orAbort<Value>(
  signal: AbortSignal | undefined,
  work: Promise<Value>,
): Promise<Value> {
  if (signal === undefined) return work;
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    const settle = () => signal.removeEventListener("abort", abort);
    work.then(resolve, reject).finally(settle);
    if (signal.aborted) abort();
    else signal.addEventListener("abort", abort, { once: true });
  });
}

/** A signal that is aborted with any of the given ones. */
export function anySignal(...signals: (AbortSignal | undefined)[]): AbortSignal {
  return AbortSignal.any(signals.filter((signal) => signal !== undefined));
}

/** Waits; rejects with the signal's reason as soon as it is aborted. */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const waiting = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  return orAbort(signal, waiting).finally(() => clearTimeout(timer));
}

/** Full jitter: anything from nothing to the whole of a delay that doubles. */
export function backoffMs(attempt: number, baseMs = 500, msMax = 8_000): number {
  return Math.random() * Math.min(msMax, baseMs * 2 ** attempt);
}

/** 128 random bits in hexadecimal. `crypto.randomUUID` is missing in pages without https. */
export function newKey(): string {
  return toHex(crypto.getRandomValues(new Uint8Array(16)));
}

export function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
