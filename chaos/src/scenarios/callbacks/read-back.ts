import { isDeepStrictEqual } from "node:util";
import type { DeliveryEvidence } from "../../check/deliveries.ts";
import { callApi } from "../../kit/load/call-api.ts";
import type { OpenedAccount } from "../../kit/load/open-accounts.ts";

const pageMax = 100;
const pagesMax = 10_000;
const accountsAtOnceMax = 8;
const sampleEvery = 50;

interface EventsPage {
  events: { webhookId: string; taskId: string; data: unknown }[];
  next: number;
  hasMore: boolean;
}

/** What a receiver that was away reads: every event of every account, page by page, as `webhookId → data`. */
export async function readAllEvents(
  apiUrl: string,
  accounts: readonly OpenedAccount[],
): Promise<Map<string, unknown>> {
  const heard = new Map<string, unknown>();
  let next = 0;
  const work = async () => {
    for (let account = accounts[next++]; account !== undefined; account = accounts[next++]) {
      let after = 0;
      for (let page = 0; page < pagesMax; page += 1) {
        const path = `/api/v1/events?after=${after}&limit=${pageMax}`;
        const answer = await get<EventsPage>(apiUrl, path, account.key);
        for (const { webhookId, data } of answer.events) heard.set(webhookId, data);
        after = answer.next;
        if (!answer.hasMore) break;
      }
    }
  };
  await Promise.all(Array.from({ length: accountsAtOnceMax }, work));
  return heard;
}

/** Asks for some of the tasks: how many answers are not what their callbacks said. */
export async function countOtherAnswers(
  apiUrl: string,
  accounts: readonly OpenedAccount[],
  events: DeliveryEvidence["events"],
): Promise<{ asked: number; other: number }> {
  const keys = new Map(accounts.map(({ accountId, key }) => [accountId, key]));
  const asked = events.filter((_, index) => index % sampleEvery === 0);
  let other = 0;
  for (const { taskId, accountId, body } of asked) {
    const path = `/api/v1/jobs/queryTask?taskId=${taskId}`;
    const answer = await get<unknown>(apiUrl, path, keys.get(accountId) ?? "");
    if (!isDeepStrictEqual(answer, JSON.parse(body))) other += 1;
  }
  return { asked: asked.length, other };
}

async function get<Body>(apiUrl: string, path: string, key: string): Promise<Body> {
  const answer = await callApi(apiUrl, { method: "GET", path, key });
  if (answer === "none" || answer.status !== 200)
    throw new Error(`GET ${path}: ${answer === "none" ? "no answer" : JSON.stringify(answer)}`);
  return answer.body as Body;
}
