import { expect, test } from "vitest";
import { main } from "../src/client.ts";
import { longPrompt } from "../src/examples.ts";
import { follow } from "../src/live.ts";

test("a stream sends each state of a task once, as the query would, and ends with the task", async () => {
  const taskId = await main.create("sd2", { prompt: longPrompt, duration: "4s" });
  const { answer, events } = await follow(taskId);
  expect(answer.status).toBe(200);
  expect(answer.headers.get("content-type")).toBe("text/event-stream");
  expect(answer.headers.get("cache-control")).toBe("no-store");
  expect(answer.text).toMatch(/^retry: 1000$/m);
  expect(events.map(({ task }) => task.status).join(" ")).toMatch(
    /^(PENDING )?(PROCESSING )?(COMPLETED|FAILED)$/,
  );
  expect(new Set(events.map(({ event }) => event))).toEqual(new Set(["status"]));
  expect(new Set(events.map(({ id }) => id)).size).toBe(events.length);
  const now = await main.queryTask(taskId);
  expect(events.at(-1)).toMatchObject({ id: now.headers.get("etag"), task: now.body });
});

test("with Last-Event-ID the state that it stands for is not sent again", async () => {
  const taskId = await main.create("sd2", { prompt: longPrompt, duration: "4s" });
  const etag = (await main.queryTask(taskId)).headers.get("etag") ?? "";
  const { events } = await follow(taskId, { "last-event-id": etag });
  expect(events.length).toBeGreaterThan(0);
  expect(events.map(({ id }) => id)).not.toContain(etag);
  expect(events.at(-1)?.task.completeTime).not.toBeNull();
});
