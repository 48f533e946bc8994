import { setTimeout as pause } from "node:timers/promises";
import { formatSpread, spreadOf } from "@zoetrope/testkit/percentile.ts";
import { print } from "@zoetrope/testkit/print.ts";
import { create } from "../customer.ts";
import { failingWord, now } from "../instant-vendor.ts";
import type { Service } from "./start-service.ts";

/** The milliseconds since the response to createTask. */
export interface Latency {
  submitted: number[];
  calledBack: number[];
}

/** Sends one task a second to each service, at different moments of the second. */
export async function tryLatency(
  services: readonly Service[],
  seconds: number,
): Promise<Latency[]> {
  const all = services.map((): Latency => ({ submitted: [], calledBack: [] }));
  for (let n = 0; n < seconds; n++)
    for (const [at, { customer, vendor, keys }] of services.entries()) {
      const next = pause(1_000 / services.length);
      const taskId = await create(customer, keys[n % keys.length] ?? "", `a fox ${failingWord}`);
      const acceptedAt = now();
      const seen = await vendor.seen(taskId);
      all[at]?.calledBack.push(seen.calledAt - acceptedAt);
      all[at]?.submitted.push(seen.submittedAt - acceptedAt);
      await next;
    }
  return all;
}

export function printLatency(name: string, { submitted, calledBack }: Latency): void {
  print(`${name}, accepted to submitted: ${formatSpread(spreadOf(submitted))}`);
  print(`${name}, accepted to called back: ${formatSpread(spreadOf(calledBack))}`);
}
