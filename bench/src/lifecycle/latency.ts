import { setTimeout as pause } from "node:timers/promises";
import { formatSpread, spreadOf } from "@zoetrope/testkit/percentile.ts";
import { print } from "@zoetrope/testkit/print.ts";
import { createTask, type Lives } from "./lives.ts";

/** Milliseconds since createTask has answered. */
export interface Latency {
  submitted: number[];
  calledBack: number[];
}

type Served = Pick<Lives, "agent" | "stack" | "vendor" | "keys">;

/** One task a second on each service, at different moments of the second; all in turn if there are several. */
export async function tryLatency(services: readonly Served[], seconds: number): Promise<Latency[]> {
  const all = services.map((): Latency => ({ submitted: [], calledBack: [] }));
  for (let n = 0; n < seconds; n++)
    for (const [at, lives] of services.entries()) {
      const next = pause(1_000 / services.length);
      const taskId = await createTask(lives, n);
      const acceptedAt = performance.now();
      await lives.vendor.calledBack(taskId);
      all[at]?.calledBack.push(performance.now() - acceptedAt);
      all[at]?.submitted.push((lives.vendor.submittedAt(taskId) ?? Number.NaN) - acceptedAt);
      await next;
    }
  return all;
}

export function printLatency(name: string, { submitted, calledBack }: Latency): void {
  print(`${name}, accepted to submitted: ${formatSpread(spreadOf(submitted))}`);
  print(`${name}, accepted to called back: ${formatSpread(spreadOf(calledBack))}`);
}
