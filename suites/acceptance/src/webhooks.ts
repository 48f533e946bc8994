import type { Answer, Client } from "@zoetrope/testkit/api-client.ts";
import type { ReceivedRequest } from "@zoetrope/testkit/start-receiver.ts";
import { Webhook } from "standardwebhooks";
import { expect } from "vitest";
import { waitFor } from "./client.ts";

export interface Delivery {
  deliveryId: string;
  webhookId: string;
  taskId: string | null;
  url: string;
  outcome: "pending" | "delivered" | "failed";
  createdAt: number;
  deliveredAt: number | null;
  nextAttemptAt: number | null;
  attempts: {
    number: number;
    at: number;
    status: number | null;
    durationMs: number | null;
    reason: string | null;
  }[];
}

export interface Event {
  number: number;
  type: string;
  webhookId: string;
  taskId: string;
  createdAt: number;
  data: Record<string, unknown>;
}

export function okay<Body>(answer: Answer): Body {
  expect(answer.status, answer.text).toBe(200);
  return answer.body as Body;
}

/** Sends a test event; gives its delivery's id. */
export async function sendTest(client: Client, url: string): Promise<string> {
  return okay<{ deliveryId: string }>(await client.sendTestEvent({ url })).deliveryId;
}

async function readDelivery(client: Client, deliveryId: string) {
  return okay<Delivery & { body: string }>(await client.readDelivery(deliveryId));
}

/** Waits until its outcome is this. */
export async function untilOutcome(
  client: Client,
  deliveryId: string,
  outcome: Delivery["outcome"],
) {
  let delivery = await readDelivery(client, deliveryId);
  await waitFor(`the delivery is ${outcome}`, async () => {
    delivery = await readDelivery(client, deliveryId);
    return delivery.outcome === outcome;
  });
  return delivery;
}

export async function readSecret(client: Client) {
  return okay<{ secret: string; previousUntil: number | null }>(await client.readWebhookSecret());
}

/**
 * Verifies a delivery with the official library, as a customer's server does. Throws unless the
 * signature is valid.
 */
export function verify(secret: string, { body, headers }: ReceivedRequest): unknown {
  const names = ["webhook-id", "webhook-timestamp", "webhook-signature"];
  const signed = Object.fromEntries(names.map((name) => [name, String(headers[name])]));
  return new Webhook(secret).verify(body, signed);
}

/** Every event after the given number. */
export async function allEvents(client: Client, after = 0, limit = 100): Promise<Event[]> {
  const events: Event[] = [];
  for (;;) {
    const page = okay<{ events: Event[]; next: number; hasMore: boolean }>(
      await client.readEvents(`?after=${after}&limit=${limit}`),
    );
    events.push(...page.events);
    after = page.next;
    if (!page.hasMore) return events;
  }
}
