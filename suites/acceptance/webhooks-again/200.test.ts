import { inTurn, startReceiver } from "@zoetrope/testkit/start-receiver.ts";
import { describe, expect, test } from "vitest";
import { main, other, settings } from "../src/client.ts";
import { okay, sendTest, untilOutcome } from "../src/webhooks.ts";

interface Queued {
  queued: number;
  isMore: boolean;
}

/** Every attempt that a delivery has. */
const fourTimes = [500, 500, 500, 500];

const again = async (body: object, client = main) => okay<Queued>(await client.deliverAgain(body));

describe.runIf(settings.callsLoopback)("webhooks/again", () => {
  test("a delivery that failed is delivered again with the same id and bytes, and its attempts go on counting", async () => {
    await using receiver = await startReceiver(inTurn(...fourTimes));
    const deliveryId = await sendTest(main, receiver.hookUrl);
    await untilOutcome(main, deliveryId, "failed");
    expect(await again({ deliveryId })).toEqual({ queued: 1, isMore: false });
    const delivery = await untilOutcome(main, deliveryId, "delivered");
    expect(delivery.attempts).toMatchObject(
      [...fourTimes, 200].map((status, index) => ({ number: index + 1, status })),
    );
    const seen = receiver.received.map(({ body, headers }) => [body, headers["webhook-id"]]);
    expect(seen).toEqual(Array.from({ length: 5 }, () => [delivery.body, delivery.webhookId]));
  });

  test("one that was delivered is delivered again when it is asked for", async () => {
    await using receiver = await startReceiver();
    const deliveryId = await sendTest(main, receiver.hookUrl);
    await untilOutcome(main, deliveryId, "delivered");
    expect(await again({ deliveryId })).toEqual({ queued: 1, isMore: false });
    const { attempts } = await untilOutcome(main, deliveryId, "delivered");
    expect(attempts).toHaveLength(2);
    expect(receiver.received).toHaveLength(2);
  });

  test("those of a time are delivered again by outcome, and only the caller's", async () => {
    await using receiver = await startReceiver();
    const ids = [await sendTest(main, receiver.hookUrl), await sendTest(main, receiver.hookUrl)];
    const before = await Promise.all(ids.map((id) => untilOutcome(main, id, "delivered")));
    const from = new Date(Math.min(...before.map(({ createdAt }) => createdAt)) - 1).toISOString();
    const to = new Date(Date.now() + 60_000).toISOString();
    const delivered = { from, to, outcome: "delivered" };
    expect(await again(delivered, other)).toEqual({ queued: 0, isMore: false });
    expect(await again({ from, to })).toEqual({ queued: 0, isMore: false });
    expect(await again(delivered)).toEqual({ queued: 2, isMore: false });
    for (const id of ids) await untilOutcome(main, id, "delivered");
    expect(receiver.received).toHaveLength(4);
  });
});
