import { expect, test } from "vitest";
import { main, other } from "../src/client.ts";
import { expectRefusal } from "../src/expect-refusal.ts";
import { nowhere, taskIdIn } from "../src/upscale.ts";

test("§5 an upscale can be queried only by its owner; otherwise 403", async () => {
  const body = { source: nowhere, targetResolution: "1080p" };
  const taskId = taskIdIn(await main.createUpscale(body));
  expectRefusal(await other.queryUpscale(taskId), { status: 403, code: "access_denied" });
  expect((await main.queryUpscale(taskId)).status).toBe(200);
});
