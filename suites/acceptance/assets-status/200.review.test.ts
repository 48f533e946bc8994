import { makeHalves } from "@zoetrope/testkit/make-media.ts";
import { describe, expect, test } from "vitest";
import { main, settings, waitFor } from "../src/client.ts";
import { expectInvalid, expectRefusal } from "../src/expect-refusal.ts";
import { referenceClip, scriptReview, storedAsset } from "../src/library.ts";
import { taskIdIn } from "../src/upscale.ts";

const createWith = (model: string, uri: string) =>
  main.createTask({ model, inputs: { urls: [uri] } });

describe.runIf(settings.sandbox !== null && settings.callsLoopback)("the review", () => {
  test("§3.2 a review that fails makes the asset FAILED with a failReason, and ends its copy", async () => {
    await scriptReview("fail=real_person_blocked");
    const asset = await storedAsset(main, "IMAGE", await makeHalves(400, 400));
    let now = asset as Record<string, unknown>;
    await waitFor("the review is over", async () => {
      now = (await main.readAsset(Number(asset["assetId"]))).body;
      return now["status"] !== "PROCESSING";
    });
    expect(now).toMatchObject({ status: "FAILED", previewUrl: null });
    expect(now["failReason"]).toMatch(/review did not pass/);
    expect((await fetch(String(asset["storageUrl"]))).status).toBe(404);
    for (const model of ["sd2", "happyhorse"])
      expectInvalid(await createWith(model, asset.uri), "inputs.urls[0]");
  });

  test("§3.2 a video that was refused has no copy to upscale", async () => {
    await scriptReview("fail=input_blocked");
    const asset = await storedAsset(main, "VIDEO", await referenceClip());
    await waitFor("the review is over", async () => {
      const { body } = await main.readAsset(Number(asset["assetId"]));
      return body["status"] === "FAILED";
    });
    const source = { type: "uploadId", storageUrl: asset["storageUrl"] };
    const answer = await main.createUpscale({ source, targetResolution: "1080p" });
    expectRefusal(answer, { status: 400, code: "SOURCE_GONE", param: "source.storageUrl" });
  });

  test("§1 an image in review is shown to its owner alone; happyhorse takes it and sd2 does not", async () => {
    await scriptReview("hang");
    const bytes = await makeHalves(400, 400);
    const asset = await storedAsset(main, "IMAGE", bytes);
    expect(asset["status"]).toBe("PROCESSING");
    expect((await fetch(String(asset["storageUrl"]))).status).toBe(403);
    const preview = await fetch(String(asset["previewUrl"]));
    expect(preview.headers.get("cache-control")).toBe("private, no-store");
    expect(Buffer.from(await preview.arrayBuffer()).equals(bytes)).toBe(true);
    expectInvalid(await createWith("sd2", asset.uri), "inputs.urls[0]");
    const taskId = await main.create("happyhorse", { urls: [asset.uri], duration: "3" });
    const { end } = await main.follow(taskId);
    expect(end, end.error ?? "").toMatchObject({ status: "COMPLETED" });
  });

  test("§4.7 a video in review is upscaled", async () => {
    await scriptReview("hang");
    const asset = await storedAsset(main, "VIDEO", await referenceClip());
    expect(asset["status"]).toBe("PROCESSING");
    const source = { type: "uploadId", storageUrl: asset["storageUrl"] };
    const taskId = taskIdIn(await main.createUpscale({ source, targetResolution: "1080p" }));
    await waitFor("the upscale is over", async () => {
      const task = await main.upscale(taskId);
      expect(task.error).toBeNull();
      return task.status === "completed";
    });
  });

  test("§3.2 while PROCESSING a status query answers with the state of the review", async () => {
    const asset = await storedAsset(main, "IMAGE", await makeHalves(400, 400));
    await waitFor("the review has passed", async () => {
      const { status, body, text } = await main.readAsset(Number(asset["assetId"]));
      expect(status, text).toBe(200);
      return body["status"] === "ACTIVE";
    });
    const open = await fetch(String(asset["storageUrl"]));
    expect(open.status).toBe(200);
  });
});
