import { expect, test } from "vitest";
import { main, settings } from "../src/client.ts";
import { startReceiver } from "../src/receiver.ts";
import { sendTest, untilOutcome } from "../src/webhooks.ts";

test.runIf(settings.callsLoopback)(
  "a delivery shows the bytes that were sent and every attempt; a 410 ends the attempts",
  async () => {
    await using receiver = await startReceiver(410);
    const sentAt = Date.now();
    const deliveryId = await sendTest(main, receiver.url);
    const delivery = await untilOutcome(main, deliveryId, "failed");
    expect(delivery).toMatchObject({
      ...{ deliveryId, taskId: null, url: receiver.url, deliveredAt: null, nextAttemptAt: null },
      body: receiver.received[0]?.body,
      attempts: [{ number: 1, status: 410, reason: expect.stringContaining("410") }],
    });
    expect(Math.abs(delivery.createdAt - sentAt)).toBeLessThan(60_000);
    expect(delivery.attempts[0]?.durationMs).toEqual(expect.any(Number));
    expect(receiver.received).toHaveLength(1);
  },
);
