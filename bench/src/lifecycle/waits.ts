const waitMsMax = 900_000;

/** Promises by key. A key may be settled before it is waited for. */
export function createWaits() {
  const settled = new Set<string>();
  const waiting = new Map<string, () => void>();
  return {
    settle(key: string): void {
      const resolve = waiting.get(key);
      waiting.delete(key);
      if (resolve === undefined) settled.add(key);
      else resolve();
    },
    wait(key: string): Promise<void> {
      if (settled.delete(key)) return Promise.resolve();
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const late = () => reject(new Error(`${key} has not ended after ${waitMsMax} ms`));
      const timer = setTimeout(late, waitMsMax);
      waiting.set(key, () => {
        clearTimeout(timer);
        resolve();
      });
      return promise;
    },
  };
}
