import { serve } from "@zoetrope/testkit/serve.ts";
import { expect, test } from "vitest";
import { main, settings } from "../src/client.ts";
import { expectRefusal } from "../src/expect-refusal.ts";
import { taskIdIn } from "../src/upscale.ts";

test.runIf(settings.callsLoopback)("an asset that a running task uses is a 409", async () => {
  await using silence = await serve(() => {});
  const { body } = await main.uploadAsset({ url: silence.url, type: "VIDEO" });
  const source = { type: "uploadId", storageUrl: body["storageUrl"] };
  taskIdIn(await main.createUpscale({ source, targetResolution: "1080p" }));
  const answer = await main.deleteAsset(Number(body["assetId"]));
  expectRefusal(answer, { status: 409, code: "asset_in_use" });
  expect(answer.headers.get("retry-after")).not.toBeNull();
});
