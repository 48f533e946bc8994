import { setTimeout as pause } from "node:timers/promises";
import type { OpenedAccount } from "@zoetrope/dev/open-accounts.ts";
import { callApi } from "../../kit/call-api.ts";
import { requestOf, type TaskRequest } from "./requests.ts";

export interface Accepted {
  request: TaskRequest;
  account: OpenedAccount;
  taskId: string;
}

export interface Load {
  accepted: Accepted[];
  /** Responses other than 200 that no customer should ever see for these requests. */
  refused: string[];
  unavailable: number;
}

interface LoadOptions {
  apiUrls: readonly string[];
  accounts: readonly OpenedAccount[];
  receiverUrl: string;
  clipUrl: string;
  requestsPerSecond: number;
  stop: AbortSignal;
}

const retryMs = 1_000;
const placeMsMax = 600_000;

/**
 * Sends requests at a steady rate until stopped. Each is sent under its key to one api after the
 * other until the service has decided, as a good client does.
 */
export async function placeRequests(options: LoadOptions): Promise<Load> {
  const load: Load = { accepted: [], refused: [], unavailable: 0 };
  const placed: Promise<void>[] = [];
  for (let number = 0; !options.stop.aborted; number += 1) {
    placed.push(place(options, requestOf(number, options.clipUrl), load));
    await pause(1_000 / options.requestsPerSecond);
  }
  await Promise.all(placed);
  return load;
}

async function place(options: LoadOptions, request: TaskRequest, load: Load): Promise<void> {
  const { accounts, apiUrls, receiverUrl } = options;
  const account = accounts[request.number % accounts.length];
  if (account === undefined) throw new Error("no account");
  const body = { ...request.body, callBackUrl: `${receiverUrl}/hooks/well/${request.key}` };
  const givesUpAt = performance.now() + placeMsMax;
  for (let tries = 0; performance.now() < givesUpAt; tries += 1) {
    const answer = await callApi(apiUrls[(request.number + tries) % apiUrls.length] ?? "", {
      method: "POST",
      path: request.path,
      key: account.key,
      body,
      idempotencyKey: request.key,
    });
    if (answer !== "none" && answer.status === 200) {
      const { taskId } = answer.body as { taskId: string };
      load.accepted.push({ request, account, taskId });
      return;
    }
    if (answer !== "none" && answer.status < 500 && answer.status !== 429) {
      load.refused.push(`${request.key}: ${JSON.stringify(answer)}`);
      return;
    }
    load.unavailable += 1;
    await pause(retryMs * (0.5 + Math.random()));
  }
  load.refused.push(`${request.key}: no decision in ${placeMsMax} ms`);
}
