import { inTurn, startReceiver } from "@zoetrope/testkit/start-receiver.ts";
import { expect, test } from "vitest";
import { main, settings } from "../src/client.ts";
import { sendTest, untilOutcome } from "../src/webhooks.ts";

test.runIf(settings.callsLoopback)(
  "a delivery shows the bytes that were sent and every attempt with its reason",
  async () => {
    await using receiver = await startReceiver(inTurn(503));
    const sentAt = Date.now();
    const deliveryId = await sendTest(main, receiver.hookUrl);
    const delivery = await untilOutcome(main, deliveryId, "delivered");
    expect(delivery).toMatchObject({
      deliveryId,
      taskId: null,
      url: receiver.hookUrl,
      nextAttemptAt: null,
      deliveredAt: expect.any(Number),
      body: receiver.received[0]?.body,
      attempts: [
        { number: 1, status: 503, reason: "answered 503" },
        { number: 2, status: 200, reason: null },
      ],
    });
    expect(Math.abs(delivery.createdAt - sentAt)).toBeLessThan(60_000);
    expect(delivery.attempts[0]?.durationMs).toEqual(expect.any(Number));
    expect(receiver.received).toHaveLength(2);
  },
);
