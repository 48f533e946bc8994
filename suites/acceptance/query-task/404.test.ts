import { test } from "vitest";
import { main } from "../src/client.ts";
import { freePrompt } from "../src/examples.ts";
import { expectRefusal } from "../src/expect-refusal.ts";

const notFound = { status: 404, code: "task_not_found" };

for (const taskId of ["no-such-task", "1", "00000000-0000-0000-0000-000000000000", "%00", "é'; --"])
  test(`§4.2 an unknown task is a 404: ${taskId}`, async () => {
    expectRefusal(await main.queryTask(taskId), notFound);
  });

for (const headers of [{ accept: "text/event-stream" }, { prefer: "wait=60" }])
  test(`§4.2 asking with ${JSON.stringify(headers)} for an unknown task is the same 404, at once`, async () => {
    const unknown = "00000000-0000-7000-8000-000000000000";
    for (const taskId of ["none", unknown])
      expectRefusal(await main.get(`/api/v1/jobs/queryTask?taskId=${taskId}`, headers), notFound);
  });

test("§4.2 an unknown task is a 404: a real one's id with its last digit changed", async () => {
  const taskId = await main.create("sd2", { prompt: freePrompt, duration: "4s" });
  const neighbour = `${taskId.slice(0, -1)}${taskId.endsWith("0") ? "1" : "0"}`;
  expectRefusal(await main.queryTask(neighbour), notFound);
});
