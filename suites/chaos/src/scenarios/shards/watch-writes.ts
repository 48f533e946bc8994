import { setTimeout as pause } from "node:timers/promises";
import type { OpenedAccount } from "@zoetrope/dev/open-accounts.ts";
import { callApi } from "../../kit/call-api.ts";

const everyMs = 10;

/**
 * Sends one create under one key again and again, to every api process in turn, until `work` has ended.
 * Returns the longest time without an accepted one, in milliseconds, and how many were refused.
 */
export async function watchWrites(
  apiUrls: readonly string[],
  { key }: OpenedAccount,
  work: () => Promise<void>,
): Promise<{ gapMs: number; refusals: number }> {
  let isOver = false;
  let gapMs = 0;
  let refusals = 0;
  const watch = async (apiUrl: string) => {
    let acceptedAt = performance.now();
    while (!isOver) {
      const answer = await callApi(apiUrl, { ...create, key });
      const now = performance.now();
      if (answer !== "none" && answer.status === 200) {
        gapMs = Math.max(gapMs, now - acceptedAt);
        acceptedAt = now;
      } else refusals += 1;
      await pause(everyMs);
    }
    gapMs = Math.max(gapMs, performance.now() - acceptedAt);
  };
  const watching = apiUrls.map(watch);
  try {
    await work();
  } finally {
    isOver = true;
    await Promise.all(watching);
  }
  return { gapMs: Math.round(gapMs), refusals };
}

const create = {
  method: "POST",
  path: "/api/v1/jobs/createTask",
  idempotencyKey: "watched",
  body: { model: "sd2", inputs: { prompt: "a tern [sandbox:fail]", duration: "4s" } },
} as const;
