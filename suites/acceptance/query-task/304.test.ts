import { expect, test } from "vitest";
import { main } from "../src/client.ts";
import { freePrompt, longPrompt } from "../src/examples.ts";
import { ask } from "../src/live.ts";

test("If-None-Match with the ETag of a task that has not changed is a 304 without a body", async () => {
  const taskId = await main.create("sd2", { prompt: freePrompt, duration: "4s" });
  await main.follow(taskId);
  const { headers } = await main.queryTask(taskId);
  const etag = headers.get("etag") ?? "";
  const answer = await ask(taskId, { "if-none-match": etag });
  expect([answer.status, answer.text, answer.headers.get("etag")]).toEqual([304, "", etag]);
  const waited = await ask(taskId, { "if-none-match": etag, prefer: "wait=60" });
  expect([waited.status, waited.text]).toEqual([304, ""]);
});

test("If-None-Match with the ETag of an earlier state is a 200", async () => {
  const taskId = await main.create("sd2", { prompt: longPrompt, duration: "4s" });
  const etag = (await main.queryTask(taskId)).headers.get("etag") ?? "";
  const { end } = await main.follow(taskId);
  const answer = await ask(taskId, { "if-none-match": etag });
  expect([answer.status, answer.body]).toEqual([200, end]);
});
