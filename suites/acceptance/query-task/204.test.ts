import { expect, test } from "vitest";
import { main } from "../src/client.ts";
import { freePrompt } from "../src/examples.ts";
import { follow } from "../src/live.ts";

test("a stream of a task that is over, asked for with its last event's id, is a 204: clients stop asking", async () => {
  const taskId = await main.create("sd2", { prompt: freePrompt, duration: "4s" });
  const { events } = await follow(taskId);
  const last = events.at(-1)?.id ?? "";
  const { answer } = await follow(taskId, { "last-event-id": last });
  expect([answer.status, answer.text]).toEqual([204, ""]);
});
