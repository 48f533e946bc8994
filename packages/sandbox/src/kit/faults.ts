import { readWord, type Script } from "./script.ts";
import type { Vendor } from "./vendor.ts";

/** Faults ordered over the control endpoint for the next creates, whatever their prompt. */
export interface Faults {
  /** For the creates of one vendor, or else for any that has a prompt. Throws UnknownWordError. */
  add(word: string, times: number, vendor?: Vendor): void;
  /** Uses up one turn of the oldest fault that is meant for a create of this vendor. */
  take(vendor: Vendor): Script | undefined;
  list(): { fault: string; times: number; vendor?: Vendor }[];
  clear(): void;
}

interface Order {
  fault: string;
  script: Script;
  times: number;
  vendor: Vendor | undefined;
}

export function createFaults(): Faults {
  let orders: Order[] = [];
  return {
    add(word, times, vendor) {
      const fault = word.replace(/^\[sandbox:(.*)\]$/, "$1");
      orders.push({ fault, script: readWord(fault), times, vendor });
    },
    take(vendor) {
      const first = orders.find((order) => isMeantFor(order, vendor));
      if (!first) return undefined;
      first.times--;
      if (first.times <= 0) orders = orders.filter((order) => order !== first);
      return first.script;
    },
    list: () =>
      orders.map(({ fault, times, vendor }) => ({ fault, times, ...(vendor && { vendor }) })),
    clear() {
      orders = [];
    },
  };
}

const withoutPrompts: readonly Vendor[] = ["ark-assets", "fal"];

function isMeantFor(order: Order, vendor: Vendor): boolean {
  return order.vendor === undefined ? !withoutPrompts.includes(vendor) : order.vendor === vendor;
}
