import { makeHalves, makeTone } from "@zoetrope/testkit/make-media.ts";
import { describe, expect, test } from "vitest";
import { main, settings } from "../src/client.ts";
import { referenceClip, reviewedAsset } from "../src/library.ts";

describe.runIf(settings.hasSandbox && settings.callsLoopback)("references", () => {
  for (const model of ["sd2", "sd2-fast"])
    test(`§4.1 ${model} makes a video of asset:// references of every type`, async () => {
      const [image, video, audio] = await Promise.all([
        reviewedAsset(main, "IMAGE", await makeHalves(400, 400)),
        reviewedAsset(main, "VIDEO", await referenceClip()),
        reviewedAsset(main, "AUDIO", await makeTone(440, 3, "mp3")),
      ]);
      const inputs = {
        prompt: "Image 1 moves like video 1",
        videoInputMode: "reference",
        resolution: "1280x720",
        duration: "4s",
        urls: [image.uri],
        videoUrls: [video.uri],
        audioUrls: [audio.uri],
      };
      const { end } = await main.follow(await main.create(model, inputs));
      expect(end, end.error ?? "").toMatchObject({ status: "COMPLETED" });
      expect(end.output).toHaveLength(1);
    });
});
