import { inTurn, startReceiver } from "@zoetrope/testkit/start-receiver.ts";
import { describe, expect, test } from "vitest";
import { main, other, settings, waitFor } from "../src/client.ts";
import { type Delivery, okay, sendTest, untilOutcome } from "../src/webhooks.ts";

interface Page {
  items: Delivery[];
  nextCursor: string | null;
}

const failing = { prompt: "A boat [sandbox:fail]", duration: "4s" };
const list = async (query: string, client = main) => okay<Page>(await client.listDeliveries(query));

describe.runIf(settings.callsLoopback)("the record", () => {
  test.runIf(settings.hasSandbox)(
    "§6 the callback of a task is found by it, with every attempt",
    async () => {
      await using receiver = await startReceiver(inTurn(500));
      const taskId = await main.create("sd2", failing, { callBackUrl: receiver.hookUrl });
      await waitFor("both attempts are recorded", async () => {
        const [item] = (await list(`?taskId=${taskId}`)).items;
        return item?.outcome === "delivered";
      });
      const { items } = await list(`?taskId=${taskId}`);
      expect(items).toMatchObject([
        {
          taskId,
          url: receiver.hookUrl,
          nextAttemptAt: null,
          webhookId: receiver.received[0]?.headers["webhook-id"],
          attempts: [
            { number: 1, status: 500, reason: "answered 500" },
            { number: 2, status: 200, reason: null },
          ],
        },
      ]);
      expect((await list(`?taskId=${taskId}`, other)).items).toEqual([]);
    },
  );

  test("the record comes newest first, page by page, each once, and by outcome", async () => {
    await using receiver = await startReceiver();
    await using failing = await startReceiver(inTurn(500, 500, 500, 500));
    const sent: string[] = [];
    for (const url of [receiver.hookUrl, receiver.hookUrl, receiver.hookUrl, receiver.hookUrl])
      sent.unshift(await sendTest(main, url));
    const pending = await sendTest(main, failing.hookUrl);
    for (const id of sent) await untilOutcome(main, id, "delivered");
    const ids = ({ items }: Page) => items.map(({ deliveryId }) => deliveryId);
    const first = await list("?limit=2");
    const second = await list(`?limit=3&cursor=${first.nextCursor}`);
    expect([...ids(first), ...ids(second)]).toEqual([pending, ...sent]);
    expect(ids(await list("?outcome=pending&limit=1"))).toEqual([pending]);
    expect(ids(await list("?outcome=delivered&limit=4"))).toEqual(sent);
    for (const outcome of ["pending", "delivered", "failed"])
      for (const item of (await list(`?outcome=${outcome}`)).items)
        expect(item.outcome).toBe(outcome);
  });
});

test("a task that is nobody's has no deliveries, and the last page has no next", async () => {
  expect(await list("?taskId=01998b6e-2c00-7000-8000-000000000001")).toEqual({
    items: [],
    nextCursor: null,
  });
  expect(await list("?taskId=none")).toEqual({ items: [], nextCursor: null });
});
