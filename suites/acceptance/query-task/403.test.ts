import { expect, test } from "vitest";
import { main, other } from "../src/client.ts";
import { freePrompt } from "../src/examples.ts";
import { expectRefusal } from "../src/expect-refusal.ts";

test("§5 a task can be queried only by its owner; otherwise 403", async () => {
  const taskId = await main.create("sd2", { prompt: freePrompt, duration: "4s" });
  expectRefusal(await other.queryTask(taskId), { status: 403, code: "access_denied" });
  expect((await main.queryTask(taskId)).status).toBe(200);
});

for (const headers of [{ accept: "text/event-stream" }, { prefer: "wait=60" }])
  test(`§5 asking with ${JSON.stringify(headers)} for another's task is the same 403, at once`, async () => {
    const taskId = await main.create("sd2", { prompt: freePrompt, duration: "4s" });
    const answer = await other.get(`/api/v1/jobs/queryTask?taskId=${taskId}`, headers);
    expectRefusal(answer, { status: 403, code: "access_denied" });
  });
