import { expect, test } from "vitest";
import { main } from "../src/client.ts";

test("§4.5 an asset is found by its number and by its name, and is whole", async () => {
  const { body } = await main.uploadAsset({ url: "https://example.com/a.png", type: "IMAGE" });
  const byNumber = await main.readAsset(Number(body["assetId"]));
  expect(byNumber.status, byNumber.text).toBe(200);
  expect(byNumber.body).toMatchObject({
    assetId: body["assetId"],
    upstreamAssetId: body["upstreamAssetId"],
    type: "IMAGE",
    url: "https://example.com/a.png",
    name: null,
    createdAt: body["createdAt"],
  });
  expect(["PROCESSING", "ACTIVE", "FAILED", "NONE"]).toContain(byNumber.body["status"]);
  const byName = await main.readAsset(String(body["upstreamAssetId"]));
  expect(byName.body["assetId"]).toBe(body["assetId"]);
});
