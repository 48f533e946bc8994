import { setTimeout as pause } from "node:timers/promises";

/** The result of work, or an error after `msMax`. The work itself is not cancelled. */
export async function withinMs<Result>(msMax: number, work: Promise<Result>): Promise<Result> {
  const timer = new AbortController();
  const late = pause(msMax, undefined, { signal: timer.signal }).then(() => {
    throw new Error(`not finished after ${msMax} ms`);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    late.catch(() => {});
    work.catch(() => {}); // it may reject later, unobserved
    timer.abort();
  }
}
