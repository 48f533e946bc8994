import { readDirective, type Script } from "./script.ts";
import type { Vendor } from "./vendor.ts";

/** Faults queued over the control endpoint for the next creates, whatever their prompt. */
export interface Faults {
  /**
   * Adds a fault for the creates of one vendor, or else for any that has a prompt. Throws
   * UnknownDirectiveError.
   */
  add(directive: string, times: number, vendor?: Vendor): void;
  /** Uses up one turn of the oldest fault that is meant for a create of this vendor. */
  take(vendor: Vendor): Script | undefined;
  list(): { fault: string; times: number; vendor?: Vendor }[];
  clear(): void;
}

interface QueuedFault {
  fault: string;
  script: Script;
  times: number;
  vendor: Vendor | undefined;
}

export function createFaults(): Faults {
  let queue: QueuedFault[] = [];
  return {
    add(directive, times, vendor) {
      const fault = directive.replace(/^\[sandbox:(.*)\]$/, "$1");
      queue.push({ fault, script: readDirective(fault), times, vendor });
    },
    take(vendor) {
      const first = queue.find((queued) => isMeantFor(queued, vendor));
      if (!first) return undefined;
      first.times--;
      if (first.times <= 0) queue = queue.filter((queued) => queued !== first);
      return first.script;
    },
    list: () =>
      queue.map(({ fault, times, vendor }) => ({ fault, times, ...(vendor && { vendor }) })),
    clear() {
      queue = [];
    },
  };
}

const withoutPrompts: readonly Vendor[] = ["ark-assets", "fal"];

function isMeantFor(queued: QueuedFault, vendor: Vendor): boolean {
  return queued.vendor === undefined ? !withoutPrompts.includes(vendor) : queued.vendor === vendor;
}
