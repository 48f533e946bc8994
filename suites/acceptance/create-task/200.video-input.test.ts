import { describe, expect, test } from "vitest";
import { other, scheduleB, settings } from "../src/client.ts";
import { referenceClip, reviewedAsset } from "../src/library.ts";

/** 4 s of output, and an input video of 2.2 s: rounded up 3 s, which is more than two thirds of 4 s. */
const [out, input] = [4, 3];

describe.runIf(settings.hasSandbox)("with video input", () => {
  for (const [schedule, client, prices] of [
    ["A", other, { sd2: 4, "sd2-fast": 4 }],
    ["B", scheduleB, { sd2: 30, "sd2-fast": 24 }],
  ] as const)
    test(`§8 schedule ${schedule}: quote, hold and charge of sd2 and sd2-fast are the price of output and input seconds`, async () => {
      const { uri } = await reviewedAsset(client, "VIDEO", await referenceClip());
      const inputs = {
        prompt: "The boat moves like video 1",
        videoInputMode: "reference",
        videoUrls: [uri],
        resolution: "1280x720",
        duration: `${out}s`,
        generateAudio: false,
      };
      const { credits } = await client.idle();
      let spent = 0;
      const taskIds: string[] = [];
      for (const [model, rate] of Object.entries(prices)) {
        const price = rate * (out + input);
        expect((await client.price(model, inputs)).credits).toBe(price);
        taskIds.push(await client.create(model, inputs));
        spent += price;
        expect(await client.balance()).toMatchObject({ availableCredits: credits - spent });
      }
      for (const taskId of taskIds) {
        const { end } = await client.follow(taskId);
        expect(end, end.error ?? "").toMatchObject({ status: "COMPLETED" });
      }
      const left = credits - spent;
      expect(await client.balance()).toEqual({ credits: left, availableCredits: left });
    });
});
