import { expect, test } from "vitest";
import { limited } from "../src/client.ts";
import { openPrompt } from "../src/examples.ts";
import { expectInvalid, expectRefusal } from "../src/expect-refusal.ts";
import { nowhere } from "../src/upscale.ts";

const video = { model: "sd2-fast", inputs: { prompt: openPrompt, duration: "4s" } };
const upscale = { source: nowhere, targetResolution: "1080p" };

test("§8 3 tasks at once per account, videos and upscales together: an upscale beside three videos is a 429 with Retry-After and holds nothing", async () => {
  await limited.idle();
  for (let open = 0; open < 3; open++) await limited.create(video.model, video.inputs);
  const before = await limited.balance();
  const answer = await limited.createUpscale(upscale);
  expectRefusal(answer, { status: 429, code: "concurrency_limit" });
  expect(answer.headers.get("retry-after")).toMatch(/^[1-9][0-9]*$/);
  expect(await limited.balance()).toEqual(before);
  // 400 comes before 429.
  expectInvalid(await limited.createUpscale({ source: nowhere }), "targetResolution");
  await limited.idle();
});
