import { inTurn, startReceiver } from "@zoetrope/testkit/start-receiver.ts";
import { describe, expect, test } from "vitest";
import { main, other, settings, waitFor } from "../src/client.ts";
import { allEvents, okay } from "../src/webhooks.ts";

const failing = { prompt: "A boat [sandbox:fail]", duration: "4s" };
const video = { prompt: "A boat", duration: "4s" };

const lastNumber = async () => (await allEvents(main)).at(-1)?.number ?? 0;

describe.runIf(settings.hasSandbox)("events", () => {
  test("a loop over the events gives every task that ended since, once, as queryTask answers it", async () => {
    const after = await lastNumber();
    const inputsOfEach = [failing, video, failing, video, failing];
    const ids = await Promise.all(inputsOfEach.map((inputs) => main.create("sd2", inputs)));
    for (const id of ids) await main.follow(id);
    const all = await allEvents(main, after, 2);
    expect(all.map(({ number }) => number)).toEqual(
      all.map(({ number }) => number).sort((a, b) => a - b),
    );
    // Tasks that others left running with this account may have ended meanwhile.
    const events = all.filter(({ taskId }) => ids.includes(taskId));
    expect(events.map(({ taskId }) => taskId).sort()).toEqual([...ids].sort());
    for (const { taskId, type, data, createdAt } of events) {
      const task = await main.task(taskId);
      expect(data).toEqual(task);
      expect(type).toBe(`generation.${task.status.toLowerCase()}`);
      expect(Math.abs(createdAt - (task.completeTime ?? 0))).toBeLessThan(5_000);
    }
    const others = (await allEvents(other)).map(({ taskId }) => taskId);
    expect(others.filter((id) => ids.includes(id))).toEqual([]);
  });

  test.runIf(settings.callsLoopback)(
    "a receiver that takes nothing finds what it missed in the events, under the callback's id",
    async () => {
      await using receiver = await startReceiver(inTurn(500, 500, 500, 500));
      const after = await lastNumber();
      const taskId = await main.create("sd2", failing, { callBackUrl: receiver.hookUrl });
      await waitFor("the callback has come", () => receiver.received.length > 0);
      const [callback] = receiver.received;
      const events = await allEvents(main, after);
      expect(events.filter((event) => event.taskId === taskId)).toMatchObject([
        {
          taskId,
          webhookId: callback?.headers["webhook-id"],
          data: JSON.parse(callback?.body ?? ""),
        },
      ]);
    },
  );
});

test("after the last event there is nothing, and the place to go on from stays", async () => {
  const after = Number.MAX_SAFE_INTEGER;
  const page = okay<object>(await main.readEvents(`?after=${after}`));
  expect(page).toEqual({ events: [], next: after, hasMore: false });
});
