import { availableCredits, type Customer, create, untilOver } from "../customer.ts";
import { failingWord, type InstantVendor, now } from "../instant-vendor.ts";

/** The measured times of every task, in milliseconds. */
export interface Times {
  /** The time from sending createTask to its response: its hold is committed. */
  created: number[];
  /** The vendor's job with a video is over → the client that waits for the task has its output. */
  known: number[];
  /** The vendor's job has failed → the client sees its credits back. */
  creditsBack: number[];
  /** The task is over, by its own record → the first callback arrives. */
  calledBack: number[];
}

export const noTimes = (): Times => ({ created: [], known: [], creditsBack: [], calledBack: [] });

export const accountPlan = { name: "figures", credits: 100_000_000, openTasksMax: 1_000_000 };

/** Each probe's account has one task at a time, so that its credits are those of this task. */
export const probeAccounts = 20;
const probesAtOnce = 4;

export interface Probing {
  readonly customer: Customer;
  readonly vendor: InstantVendor;
  /** The keys of the probes' accounts. */
  readonly keys: readonly string[];
}

export async function probeUntil(
  probing: Probing,
  isEnough: (done: number) => boolean,
  times: Times,
): Promise<void> {
  const { keys } = probing;
  let done = 0;
  const one = async (_: unknown, nth: number) => {
    for (let key = nth; !isEnough(done); key = (key + probesAtOnce) % keys.length) {
      done += 1;
      await probe(probing, keys[key] ?? "", times);
    }
  };
  await Promise.all(Array.from({ length: probesAtOnce }, one));
}

/** One task with a video and one that fails, of an account that has no other. */
export async function probe(probing: Probing, key: string, times: Times): Promise<void> {
  for (const prompt of prompts) {
    const credits = await availableCredits(probing.customer, key);
    await probeOne(probing, { key, credits }, prompt, times);
  }
}

/** The prompt of a task that becomes a video, and that of one that fails. */
export const prompts = ["a fox crosses a frozen lake", `a fox ${failingWord}`] as const;

/**
 * Measures a task of an account that has these credits and no other task. The first request is the
 * create.
 */
export async function probeOne(
  { customer, vendor }: Pick<Probing, "customer" | "vendor">,
  { key, credits }: { key: string; credits: number },
  prompt: string,
  times: Times,
): Promise<void> {
  const sentAt = performance.now();
  const taskId = await create(customer, key, prompt);
  times.created.push(performance.now() - sentAt);
  const status = await untilOver(customer, key, taskId);
  const knownAt = now();
  if (status === "FAILED") {
    const after = await availableCredits(customer, key);
    if (after !== credits) throw new Error(`${taskId} has failed and ${credits - after} are gone`);
  }
  const overAt = now();
  const seen = await vendor.seen(taskId);
  times.calledBack.push(seen.calledAt - seen.body.completeTime);
  if (status === "FAILED") times.creditsBack.push(overAt - seen.endedAt);
  else times.known.push(knownAt - seen.endedAt);
}
