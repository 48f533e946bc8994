import { readWord, type Script } from "./script.ts";

/** Faults ordered over the control endpoint for the next creates, whatever their prompt. */
export interface Faults {
  /** Throws UnknownWordError. */
  add(word: string, times: number): void;
  /** Uses up one turn of the oldest fault. */
  take(): Script | undefined;
  list(): { fault: string; times: number }[];
  clear(): void;
}

export function createFaults(): Faults {
  let orders: { fault: string; script: Script; times: number }[] = [];
  return {
    add(word, times) {
      const fault = word.replace(/^\[sandbox:(.*)\]$/, "$1");
      orders.push({ fault, script: readWord(fault), times });
    },
    take() {
      const first = orders[0];
      if (!first) return undefined;
      first.times--;
      if (first.times <= 0) orders.shift();
      return first.script;
    },
    list: () => orders.map(({ fault, times }) => ({ fault, times })),
    clear() {
      orders = [];
    },
  };
}
