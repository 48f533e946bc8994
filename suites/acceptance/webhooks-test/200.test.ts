import { inTurn, startReceiver } from "@zoetrope/testkit/start-receiver.ts";
import { describe, expect, test } from "vitest";
import { main, settings } from "../src/client.ts";
import { readSecret, sendTest, untilOutcome, verify } from "../src/webhooks.ts";

describe.runIf(settings.callsLoopback)("webhooks/test", () => {
  test("a test event arrives signed with the account's secret, says that it is one, and is recorded", async () => {
    await using receiver = await startReceiver();
    const { secret } = await readSecret(main);
    const deliveryId = await sendTest(main, receiver.hookUrl);
    const delivery = await untilOutcome(main, deliveryId, "delivered");
    const [event] = receiver.received;
    if (event === undefined) throw new Error("nothing arrived");
    expect(verify(secret, event)).toMatchObject({ test: true, deliveryId });
    expect(() => verify(secret, { ...event, body: `${event.body} ` })).toThrow();
    expect(delivery).toMatchObject({ taskId: null, url: receiver.hookUrl, body: event.body });
    expect(event.headers["webhook-id"]).toBe(delivery.webhookId);
  });

  test("a test event is tried again like any other", async () => {
    await using receiver = await startReceiver(inTurn(503));
    const deliveryId = await sendTest(main, receiver.hookUrl);
    const { attempts } = await untilOutcome(main, deliveryId, "delivered");
    expect(attempts).toMatchObject([
      { number: 1, status: 503, reason: "answered 503" },
      { number: 2, status: 200, reason: null },
    ]);
    expect(new Set(receiver.received.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
  });
});
