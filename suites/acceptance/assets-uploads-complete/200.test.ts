import { createHash } from "node:crypto";
import { makeNoise } from "@zoetrope/testkit/make-media.ts";
import { expect, test } from "vitest";
import { main, waitFor } from "../src/client.ts";
import { beginUpload, sendMissing } from "../src/upload.ts";

test("a completed upload is an asset in review, whose stored copy has the same bytes", async () => {
  const bytes = makeNoise(900);
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  const upload = await beginUpload(bytes, { name: "a name", sha256 });
  await sendMissing(bytes, upload);
  const answer = await main.completeUpload({ uploadId: upload.uploadId });
  expect(answer.status, answer.text).toBe(200);
  expect(answer.body).toMatchObject({
    assetId: expect.any(Number),
    upstreamAssetId: expect.stringMatching(/^asset-\d{8,}-[0-9A-Za-z]+$/),
    type: "IMAGE",
    status: "PROCESSING",
    failReason: null,
    name: "a name",
    createdAt: expect.any(Number),
  });
  const again = await main.completeUpload({ uploadId: upload.uploadId });
  expect(again.body["assetId"]).toBe(answer.body["assetId"]);

  let previewUrl = "";
  await waitFor("the copy is stored", async () => {
    const { body } = await main.readAsset(Number(answer.body["assetId"]));
    expect(body["failReason"]).toBeNull();
    previewUrl = String(body["previewUrl"] ?? "");
    if (previewUrl === "") return false;
    const { storageUrl } = answer.body;
    const facts = { url: storageUrl, storageUrl, size: bytes.length, width: 900, height: 900 };
    expect(body).toMatchObject(facts);
    return true;
  });
  const stored = Buffer.from(await (await fetch(previewUrl)).arrayBuffer());
  expect(createHash("sha256").update(stored).digest("hex")).toBe(sha256);
});

test("bytes with another checksum than declared make a FAILED asset with the reason", async () => {
  const bytes = makeNoise(2);
  const upload = await beginUpload(bytes, { sha256: "0".repeat(64) });
  await sendMissing(bytes, upload);
  const { body } = await main.completeUpload({ uploadId: upload.uploadId });
  await waitFor("the asset has failed", async () => {
    const asset = await main.readAsset(Number(body["assetId"]));
    if (asset.body["status"] !== "FAILED") return false;
    expect(asset.body["failReason"]).toContain("SHA-256");
    return true;
  });
});
