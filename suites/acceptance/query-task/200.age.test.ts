import { serve } from "@zoetrope/testkit/serve.ts";
import { describe, expect, test } from "vitest";
import { clientOf, settings } from "../src/client.ts";
import { taskIdIn } from "../src/upscale.ts";

const hurried = clientOf(settings.keys.other, settings.hurriedUrl ?? "");

describe.runIf(settings.hurriedUrl !== null)("a task that reaches its maximum age", () => {
  test("fails as task_expired and gives its hold back, whatever the vendor does: a video, an image and an upscale", async () => {
    const before = await hurried.idle();
    const video = await hurried.create("sd2", { prompt: "A boat [sandbox:hang]", duration: "4s" });
    const image = await hurried.create("image-pro-2", {
      prompt: "A boat [sandbox:slow=15]",
      resolution: "1k",
    });
    await using server = await serve(() => {});
    const source = { type: "url", url: server.url };
    const upscale = taskIdIn(await hurried.createUpscale({ source, targetResolution: "1080p" }));
    expect(await hurried.balance()).toEqual({
      credits: before.credits,
      availableCredits: before.credits - 24 - 3 - 15,
    });

    for (const taskId of [video, image]) {
      const { end } = await hurried.follow(taskId);
      expect(end).toMatchObject({ status: "FAILED", errorCode: "task_expired", creditsUsed: 0 });
    }
    const { end } = await hurried.followUpscale(upscale);
    expect(end).toMatchObject({ status: "failed", creditsConsumed: null, result: null });
    expect(await hurried.balance()).toEqual(before);
  });
});
