import { test } from "vitest";
import { main } from "../src/client.ts";
import { freePrompt } from "../src/examples.ts";
import { expectRefusal } from "../src/expect-refusal.ts";
import { nowhere, taskIdIn } from "../src/upscale.ts";

const notFound = { status: 404, code: "task_not_found" };

for (const taskId of ["no-such-task", "00000000-0000-0000-0000-000000000000", "%00"])
  test(`§4.8 an unknown upscale is a 404: ${taskId}`, async () => {
    expectRefusal(await main.queryUpscale(taskId), notFound);
  });

test("§4.8 a generation task is a 404 here, and an upscale is one at queryTask", async () => {
  const videoId = await main.create("sd2", { prompt: freePrompt, duration: "4s" });
  expectRefusal(await main.queryUpscale(videoId), notFound);
  const body = { source: nowhere, targetResolution: "1080p" };
  const upscaleId = taskIdIn(await main.createUpscale(body));
  expectRefusal(await main.queryTask(upscaleId), notFound);
});
