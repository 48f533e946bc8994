import { setTimeout as delay } from "node:timers/promises";

/** Reads one page, numbered from 1, newest jobs first. */
type ReadPage<Job> = (model: string, page: number) => Promise<Job[] | "unavailable">;

/**
 * Lists a model's jobs back to a moment, a page per second at most, which is what Ark allows. A list has no
 * filter for the moment, so all callers that ask before one begins share it. Callers that ask while it runs
 * get the next: the job may be younger than the page it would be on.
 */
export function createSharedList<Job>(
  readPage: ReadPage<Job>,
  limits: { pageSize: number; pagesMax: number; pageIntervalMs: number; timeOf(job: Job): number },
) {
  const waiting = new Map<string, { since: number; jobs: Promise<Job[] | "unavailable"> }>();
  let last: Promise<unknown> = Promise.resolve();
  let nextPageAt = 0;

  async function waitForPage(): Promise<void> {
    const now = performance.now();
    const at = Math.max(now, nextPageAt);
    nextPageAt = at + limits.pageIntervalMs;
    if (at > now) await delay(at - now);
  }

  /** A list that ends before the moment is no list: the job may be on the next page. */
  async function readBackTo(model: string, since: number): Promise<Job[] | "unavailable"> {
    const jobs: Job[] = [];
    for (let page = 1; page <= limits.pagesMax; page++) {
      if (page > 1) await waitForPage();
      const found = await readPage(model, page);
      if (found === "unavailable") return found;
      jobs.push(...found);
      const isOlder = found.some((job) => limits.timeOf(job) < since);
      if (found.length < limits.pageSize || isOlder) return jobs;
    }
    return "unavailable";
  }

  return function listBackTo(model: string, since: number): Promise<Job[] | "unavailable"> {
    const shared = waiting.get(model);
    if (shared !== undefined) {
      shared.since = Math.min(shared.since, since);
      return shared.jobs;
    }
    const begin = async (): Promise<Job[] | "unavailable"> => {
      await waitForPage();
      waiting.delete(model);
      return readBackTo(model, next.since);
    };
    const next = { since, jobs: last.then(begin, begin) };
    last = next.jobs;
    waiting.set(model, next);
    return next.jobs;
  };
}
