import { setTimeout as pause } from "node:timers/promises";
import type { OpenedAccount } from "@zoetrope/testkit/open-accounts.ts";
import { callApi } from "../../kit/call-api.ts";
import { type Order, orderOf } from "./orders.ts";

export interface Accepted {
  order: Order;
  account: OpenedAccount;
  taskId: string;
}

export interface Load {
  accepted: Accepted[];
  /** Answers other than 200 that no customer of these orders should ever see. */
  refused: string[];
  unavailable: number;
}

interface LoadOptions {
  apiUrls: readonly string[];
  accounts: readonly OpenedAccount[];
  receiverUrl: string;
  clipUrl: string;
  ordersPerSecond: number;
  stop: AbortSignal;
}

const retryMs = 1_000;
const placeMsMax = 600_000;

/**
 * Places orders at a steady rate until stopped. Each is sent under its key to one api after the
 * other until the service has decided, as a good client does.
 */
export async function placeOrders(options: LoadOptions): Promise<Load> {
  const load: Load = { accepted: [], refused: [], unavailable: 0 };
  const placed: Promise<void>[] = [];
  for (let number = 0; !options.stop.aborted; number += 1) {
    placed.push(place(options, orderOf(number, options.clipUrl), load));
    await pause(1_000 / options.ordersPerSecond);
  }
  await Promise.all(placed);
  return load;
}

async function place(options: LoadOptions, order: Order, load: Load): Promise<void> {
  const { accounts, apiUrls, receiverUrl } = options;
  const account = accounts[order.number % accounts.length];
  if (account === undefined) throw new Error("no account");
  const body = { ...order.body, callBackUrl: `${receiverUrl}/hooks/well/${order.key}` };
  const givesUpAt = performance.now() + placeMsMax;
  for (let tries = 0; performance.now() < givesUpAt; tries += 1) {
    const answer = await callApi(apiUrls[(order.number + tries) % apiUrls.length] ?? "", {
      ...{ method: "POST", path: order.path, key: account.key, body },
      idempotencyKey: order.key,
    });
    if (answer !== "none" && answer.status === 200) {
      const { taskId } = answer.body as { taskId: string };
      load.accepted.push({ order, account, taskId });
      return;
    }
    if (answer !== "none" && answer.status < 500 && answer.status !== 429) {
      load.refused.push(`${order.key}: ${JSON.stringify(answer)}`);
      return;
    }
    load.unavailable += 1;
    await pause(retryMs * (0.5 + Math.random()));
  }
  load.refused.push(`${order.key}: no decision in ${placeMsMax} ms`);
}
