/** Bounds the work that one invocation repeats after a crash. */
const itemsMax = 64;
/** Pauses grow with what was sent last: some fifty a second are sent one by one, more in batches. */
const pauseMsPerItem = 20;
const pauseMsMax = 100;

export interface Gathered<Key, Value> {
  /** A key that waits already is sent once, with its last value. */
  add(key: Key, value: Value): void;
  /** Sends what waits. */
  flush(): void;
}

/**
 * Gathers what belongs to one request. The first item is sent at once; what follows within a short
 * time is sent together, so that requests per item become fewer the more items there are.
 */
export function gather<Key, Value>(send: (items: Map<Key, Value>) => void): Gathered<Key, Value> {
  const waiting = new Map<Key, Value>();
  let nextAt = 0;
  let cancel: (() => void) | null = null;

  function flush() {
    cancel?.();
    cancel = null;
    while (waiting.size > 0) {
      const items = new Map(waiting.entries().take(itemsMax));
      for (const key of items.keys()) waiting.delete(key);
      nextAt = performance.now() + Math.min(pauseMsMax, pauseMsPerItem * items.size);
      send(items);
    }
  }

  return {
    add(key, value) {
      waiting.set(key, value);
      if (waiting.size >= itemsMax) return flush();
      if (cancel !== null) return;
      const delayMs = nextAt - performance.now();
      if (delayMs > 0) {
        const timer = setTimeout(flush, delayMs);
        cancel = () => clearTimeout(timer);
      } else {
        const turn = setImmediate(flush); // with all of the same moment, such as one transaction's
        cancel = () => clearImmediate(turn);
      }
    },
    flush,
  };
}
