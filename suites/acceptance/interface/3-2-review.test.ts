import { controlSandbox } from "@zoetrope/testkit/sandbox-control.ts";
import { expect, test } from "vitest";
import { fails, main, nameOf, settings } from "./client.ts";
import { image, reviewedAsset, storedAsset } from "./files.ts";

/** Scripts what the reviewer of the sandbox does with the next asset: nothing else may register one. */
async function nextReview(fault: string): Promise<void> {
  if (settings.sandbox === null) throw new Error("there is no sandbox to script");
  await controlSandbox(settings.sandbox).injectFault("ark-assets", fault);
}

const failed = async () => {
  await nextReview("fail=real_person_blocked");
  return await reviewedAsset(main, "IMAGE", await image(400, 400));
};

test(nameOf("3.2 failed"), async () => {
  expect(await failed()).toMatchObject({
    status: "FAILED",
    width: 400, // it was stored: the review made it so
    failReason: expect.stringMatching(/./),
  });
});

test(nameOf("2.2 failReason"), async () => {
  expect((await failed()).failReason).toMatch(/review/);
  const passed = await reviewedAsset(main, "IMAGE", await image(400, 400));
  expect(passed).toMatchObject({ status: "ACTIVE", failReason: null });
});

test(nameOf("1 without review"), async () => {
  await nextReview("hang");
  const asset = await storedAsset(main, "IMAGE", await image(400, 400));
  expect(asset.status).toBe("PROCESSING");
  const urls = [`asset://${asset.upstreamAssetId}`];
  const refused = await main.refuse("sd2", { prompt: fails, urls });
  expect(refused.body.message).toContain("urls[0]");
});
