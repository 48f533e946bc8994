import { expect, test } from "vitest";
import { main, other } from "../src/client.ts";
import { freePrompt } from "../src/examples.ts";
import { expectRefusal } from "../src/expect-refusal.ts";

test("§5 a task can be queried only by its owner; otherwise 403", async () => {
  const taskId = await main.create("sd2", { prompt: freePrompt, duration: "4s" });
  expectRefusal(await other.queryTask(taskId), { status: 403, code: "access_denied" });
  expect((await main.queryTask(taskId)).status).toBe(200);
});
