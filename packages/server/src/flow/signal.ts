import { EventEmitter, once } from "node:events";

/** An in-process wake-up of a loop: it waits for a notification or a time-out. */
export interface Signal {
  notify(): void;
  wait(msMax: number, stop: AbortSignal): Promise<void>;
}

export function createSignal(): Signal {
  const emitter = new EventEmitter();
  let isNotified = false; // a notification while nobody waits is kept for the next wait
  return {
    notify() {
      isNotified = true;
      emitter.emit("notify");
    },
    async wait(msMax, stop) {
      const signal = AbortSignal.any([stop, AbortSignal.timeout(msMax)]);
      if (!isNotified) await once(emitter, "notify", { signal }).catch(() => {});
      isNotified = false;
    },
  };
}
