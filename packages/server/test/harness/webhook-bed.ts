import type { Receiver } from "@zoetrope/testkit/start-receiver.ts";
import { Webhook } from "standardwebhooks";
import { expect } from "vitest";
import type { Caller } from "../../src/accounts/queries.ts";
import { buildApi } from "../../src/api/build-api.ts";
import { createTask } from "../../src/generation/create-task.ts";
import { withoutUndefined } from "../../src/http/without-undefined.ts";
import type { EndpointId } from "../../src/ids.ts";
import { finishTask } from "../../src/tasks/finish-task.ts";
import { deliverDue } from "../../src/webhooks/deliver-due.ts";
import type { EndpointAnswer } from "../../src/webhooks/endpoints/schema.ts";
import { checkMoney } from "./check-money.ts";
import { openTestBed } from "./test-context.ts";

export type Account = Caller & { key: string };
type Method = "GET" | "POST" | "PATCH" | "DELETE";
interface Body extends EndpointAnswer {
  items: EndpointAnswer[];
  secret: string;
  previousUntil: number | null;
  missed: object | null;
  queued: number;
  deliveryId: string;
  code: string;
  param: string;
}

/** An api and the deliveries of a worker, for what accounts do with their webhook endpoints. */
export async function openWebhookBed() {
  const bed = await openTestBed({ DELIVERY_INTERVAL_MS: "20" });
  const api = await buildApi(bed.ctx);

  async function call(
    by: Record<string, string> | string,
    method: Method,
    path: string,
    payload?: object,
  ) {
    const answer = await api.inject(
      withoutUndefined({
        method,
        url: `/api/v1/webhooks/${path}`,
        headers: typeof by === "string" ? { authorization: `Bearer ${by}` } : by,
        payload,
      }),
    );
    return { answered: answer.statusCode, ...answer.json<Body>() };
  }

  async function addEndpoint(account: Account, url: string, body: object = {}) {
    const made = await call(account.key, "POST", "endpoints", { url, ...body });
    expect(made.answered).toBe(200);
    return { id: made.endpointId as EndpointId, secret: made.secret };
  }

  async function finish(account: Account, callBackUrl?: string) {
    const body = { model: "sd2", inputs: { prompt: "a fox" } };
    const taskBody = callBackUrl === undefined ? body : { ...body, callBackUrl };
    const { taskId } = await createTask(bed.ctx, account, taskBody, null);
    await finishTask(bed.ctx, taskId, { kind: "failed", code: "vendor_failed" });
    return taskId;
  }

  /** Runs the deliveries of a worker until something is true, and lets it stop. */
  async function deliverUntil(isTrue: () => Promise<boolean> | boolean): Promise<void> {
    const stop = new AbortController();
    const delivering = deliverDue(bed.ctx, stop.signal);
    await expect.poll(isTrue, { timeout: 300_000 }).toBe(true);
    stop.abort();
    await delivering;
  }

  async function deliverAll(account: Account): Promise<void> {
    const open = "select from open_deliveries where account_id = $1";
    await deliverUntil(async () => (await bed.database.sql(open, [account.id])).length === 0);
  }

  return {
    bed,
    call,
    addEndpoint,
    finish,
    deliverUntil,
    deliverAll,
    async close() {
      await api.close();
      await checkMoney(bed.database);
      await bed[Symbol.asyncDispose]();
    },
  };
}

/** The messages that arrived, each proven to be signed with the secret. */
export function readSigned({ received }: Receiver, secret: string) {
  return received.map(({ body, headers }) => ({
    id: headers["webhook-id"],
    ...(new Webhook(secret).verify(body, headers as Record<string, string>) as {
      type: string;
      data: Record<string, unknown>;
    }),
  }));
}
