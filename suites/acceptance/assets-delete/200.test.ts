import { makeHalves } from "@zoetrope/testkit/make-media.ts";
import { expect, test } from "vitest";
import { main, settings } from "../src/client.ts";
import { expectInvalid, expectRefusal } from "../src/expect-refusal.ts";
import { storedAsset } from "../src/library.ts";

const notFound = { status: 404, code: "asset_not_found" };

test.for(["assetId", "upstreamAssetId"])(
  "an asset is deleted by its %s, once, and is unknown from then on",
  async (name) => {
    const { body } = await main.uploadAsset({ url: "https://example.com/a.png", type: "IMAGE" });
    const { assetId, upstreamAssetId } = body;
    const answer = await main.deleteAsset(String(body[name]));
    expect(answer.status, answer.text).toBe(200);
    expect(answer.body).toEqual({ assetId, upstreamAssetId, deleted: true });
    for (const id of [assetId, upstreamAssetId]) {
      expectRefusal(await main.deleteAsset(String(id)), notFound);
      expectRefusal(await main.readAsset(String(id)), notFound);
    }
    const { items } = (await main.listAssets("?limit=50")).body as { items: { assetId: number }[] };
    expect(items.map((item) => item.assetId)).not.toContain(assetId);
  },
);

test.runIf(settings.callsLoopback)("a deleted asset's links and references are dead", async () => {
  const asset = await storedAsset(main, "IMAGE", await makeHalves(400, 400));
  expect((await fetch(String(asset["previewUrl"]))).status).toBe(200);
  expect((await main.deleteAsset(Number(asset["assetId"]))).status).toBe(200);
  for (const name of ["previewUrl", "storageUrl"])
    expect((await fetch(String(asset[name]))).status).toBe(404);
  expectInvalid(
    await main.createTask({ model: "happyhorse", inputs: { urls: [asset.uri] } }),
    "inputs.urls[0]",
  );
});
