import { isDeepStrictEqual } from "node:util";
import type { OpenedAccount } from "@zoetrope/dev/open-accounts.ts";
import { inParallel } from "@zoetrope/testkit/in-parallel.ts";
import type { DeliveryEvidence } from "../../check/deliveries.ts";
import { ask } from "../../kit/call-api.ts";

const pageMax = 100;
const pagesMax = 10_000;
const accountsAtOnceMax = 8;
const sampleEvery = 50;

interface EventsPage {
  events: { webhookId: string; taskId: string; data: unknown }[];
  next: number;
  hasMore: boolean;
}

/** Every event of every account, page by page, as a receiver that was away reads them: `webhookId → data`. */
export async function readAllEvents(
  apiUrl: string,
  accounts: readonly OpenedAccount[],
): Promise<Map<string, unknown>> {
  const listed = new Map<string, unknown>();
  await inParallel(accountsAtOnceMax, accounts, async ({ key }) => {
    let after = 0;
    for (let page = 0; page < pagesMax; page += 1) {
      const path = `/api/v1/events?after=${after}&limit=${pageMax}`;
      const answer = await ask<EventsPage>({ apiUrl, key }, path);
      for (const { webhookId, data } of answer.events) listed.set(webhookId, data);
      after = answer.next;
      if (!answer.hasMore) break;
    }
  });
  return listed;
}

/** Queries some of the tasks and returns the number of responses that differ from their callbacks. */
export async function countOtherAnswers(
  apiUrl: string,
  accounts: readonly OpenedAccount[],
  events: DeliveryEvidence["events"],
): Promise<{ asked: number; other: number }> {
  const keys = new Map(accounts.map(({ accountId, key }) => [accountId, key]));
  const asked = events.filter((_, index) => index % sampleEvery === 0);
  let other = 0;
  for (const { taskId, accountId, body } of asked) {
    const caller = { apiUrl, key: keys.get(accountId) ?? "" };
    const answer = await ask(caller, `/api/v1/jobs/queryTask?taskId=${taskId}`);
    if (!isDeepStrictEqual(answer, JSON.parse(body))) other += 1;
  }
  return { asked: asked.length, other };
}
