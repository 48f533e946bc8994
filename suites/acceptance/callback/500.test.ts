import { inTurn, type Receiver, startReceiver } from "@zoetrope/testkit/start-receiver.ts";
import { describe, expect, test } from "vitest";
import { main, settings, waitFor } from "../src/client.ts";
import { type Delivery, okay } from "../src/webhooks.ts";

const failing = { prompt: "A boat [sandbox:fail]", duration: "4s" };

async function pausesOf(receiver: Receiver, attempts: number): Promise<number[]> {
  await waitFor(`${attempts} attempts have come`, () => receiver.received.length >= attempts);
  const times = receiver.received.map(({ at }) => at);
  return times.slice(1).map((at, index) => at - (times[index] ?? 0));
}

async function untilFailed(taskId: string): Promise<Delivery[]> {
  let items: Delivery[] = [];
  await waitFor("the callback is given up", async () => {
    const page = await main.listDeliveries(`?taskId=${taskId}&outcome=failed`);
    items = okay<{ items: Delivery[] }>(page).items;
    return items.length > 0;
  });
  return items;
}

describe.runIf(settings.callsLoopback && settings.hasSandbox).concurrent("retries", () => {
  test("§6 a receiver that answers 500 is called again after about 1 s and then about 5 s, with the same body and id; one that answers 200 is not", async () => {
    await using failingReceiver = await startReceiver(inTurn(500, 500));
    await using content = await startReceiver();
    await Promise.all(
      [failingReceiver, content].map(({ url }) =>
        main.create("sd2", failing, { callBackUrl: url }),
      ),
    );
    const [first = 0, second = 0] = await pausesOf(failingReceiver, 3);
    expect(first).toBeGreaterThan(900);
    expect(first).toBeLessThan(25_000); // a busy machine is late
    expect(second).toBeGreaterThan(4_900);
    expect(second).toBeLessThan(25_000);
    const { received } = failingReceiver;
    expect(new Set(received.map(({ body }) => body)).size).toBe(1);
    expect(new Set(received.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
    expect(content.received).toHaveLength(1);
  });

  test("§6 the last retry comes after about 30 s, and there is no fifth attempt: the record says failed, and nothing more is due", async () => {
    await using receiver = await startReceiver(inTurn(500, 500, 500, 500));
    const taskId = await main.create("sd2", failing, { callBackUrl: receiver.hookUrl });
    const [, , third = 0] = await pausesOf(receiver, 4);
    expect(third).toBeGreaterThan(29_900);
    const [delivery] = await untilFailed(taskId);
    expect(delivery).toMatchObject({ outcome: "failed", nextAttemptAt: null });
    expect(delivery?.attempts.map(({ number }) => number)).toEqual([1, 2, 3, 4]);
    expect(receiver.received).toHaveLength(4);
  });

  for (const status of [302, 404, 410, 503])
    test(`§6 a ${status} is no 2xx: the same address is called again after about 1 s`, async () => {
      await using receiver = await startReceiver(inTurn(status));
      await main.create("sd2", failing, { callBackUrl: receiver.hookUrl });
      const [pause = 0] = await pausesOf(receiver, 2);
      expect(pause).toBeGreaterThan(900);
      expect(pause).toBeLessThan(5_000);
      expect(receiver.received.map(({ path }) => path)).toEqual(["/hook", "/hook"]);
    });

  test("§6 a 204 is a 2xx: it ends the retries like a 200", async () => {
    await using receiver = await startReceiver(inTurn(500, 204));
    await using late = await startReceiver(inTurn(500, 500));
    await Promise.all(
      [receiver, late].map(({ url }) => main.create("sd2", failing, { callBackUrl: url })),
    );
    await pausesOf(late, 3);
    expect(receiver.received).toHaveLength(2);
  });
});
