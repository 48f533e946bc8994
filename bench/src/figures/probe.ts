import { availableCredits, type Customer, create, untilOver } from "./client.ts";
import { type FiguresVendor, failingWord } from "./vendor.ts";

/** What is measured of every task, in milliseconds. */
export interface Times {
  /** createTask sent → answered: its hold is committed. */
  created: number[];
  /** The vendor's job with a video is over → the client that waits for the task has its output. */
  known: number[];
  /** The vendor's job has failed → the client sees its credits back. */
  creditsBack: number[];
  /** The task is over, by its own record → the first callback arrives. */
  calledBack: number[];
}

export const noTimes = (): Times => ({ created: [], known: [], creditsBack: [], calledBack: [] });

/** One task with a video and one that fails, of an account that has no other. */
export async function probe(
  customer: Customer,
  vendor: FiguresVendor,
  key: string,
  times: Times,
): Promise<void> {
  for (const prompt of ["a fox crosses a frozen lake", `a fox ${failingWord}`]) {
    const before = await availableCredits(customer, key);
    const sentAt = performance.now();
    const taskId = await create(customer, key, prompt);
    times.created.push(performance.now() - sentAt);
    const status = await untilOver(customer, key, taskId);
    const knownAt = Date.now();
    if (status === "FAILED") {
      const after = await availableCredits(customer, key);
      if (after !== before) throw new Error(`${taskId} has failed and ${before - after} are gone`);
    }
    const overAt = Date.now();
    const seen = await vendor.seen(taskId);
    times.calledBack.push(seen.calledAt - seen.body.completeTime);
    if (status === "FAILED") times.creditsBack.push(overAt - seen.endedAt);
    else times.known.push(knownAt - seen.endedAt);
  }
}
