import { EventEmitter, once } from "node:events";

/** Lets a loop rest until somebody in this process has something for it, or a time has passed. */
export interface Signal {
  ring(): void;
  wait(msMax: number, stop: AbortSignal): Promise<void>;
}

export function createSignal(): Signal {
  const emitter = new EventEmitter();
  let isRung = false; // a ring while nobody waits is kept for the next wait
  return {
    ring() {
      isRung = true;
      emitter.emit("ring");
    },
    async wait(msMax, stop) {
      const signal = AbortSignal.any([stop, AbortSignal.timeout(msMax)]);
      if (!isRung) await once(emitter, "ring", { signal }).catch(() => {});
      isRung = false;
    },
  };
}
