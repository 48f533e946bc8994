import { test } from "vitest";
import { main } from "../src/client.ts";
import { freePrompt } from "../src/examples.ts";
import { expectRefusal } from "../src/expect-refusal.ts";

const notFound = { status: 404, code: "task_not_found" };

for (const taskId of ["no-such-task", "1", "00000000-0000-0000-0000-000000000000", "%00", "é'; --"])
  test(`§4.2 an unknown task is a 404: ${taskId}`, async () => {
    expectRefusal(await main.queryTask(taskId), notFound);
  });

test("§4.2 an unknown task is a 404: a real one's id with its last digit changed", async () => {
  const taskId = await main.create("sd2", { prompt: freePrompt, duration: "4s" });
  const neighbour = `${taskId.slice(0, -1)}${taskId.endsWith("0") ? "1" : "0"}`;
  expectRefusal(await main.queryTask(neighbour), notFound);
});
