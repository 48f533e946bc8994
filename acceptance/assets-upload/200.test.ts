import { expect, test } from "vitest";
import { main } from "../src/client.ts";

const url = "https://example.com/a.png";

test.for(["IMAGE", "VIDEO", "AUDIO"])(
  "§4.4 an upload of type %s is in review at once",
  async (type) => {
    const answer = await main.uploadAsset({ url, type, name: "a name" });
    expect(answer.status, answer.text).toBe(200);
    expect(answer.body).toMatchObject({
      assetId: expect.any(Number),
      upstreamAssetId: expect.stringMatching(/^asset-\d{8,}-[0-9A-Za-z]+$/),
      ...{ type, status: "PROCESSING", failReason: null, url, name: "a name" },
      createdAt: expect.any(Number),
    });
    expect(Math.abs(Number(answer.body["createdAt"]) - Date.now())).toBeLessThan(600_000);
  },
);

test("§4.4 a name may be left out; two uploads of one URL are two assets", async () => {
  const one = await main.uploadAsset({ url, type: "IMAGE" });
  const two = await main.uploadAsset({ url, type: "IMAGE", name: null });
  expect([one.body["name"], two.body["name"]]).toEqual([null, null]);
  expect(one.body["assetId"]).not.toBe(two.body["assetId"]);
  expect(one.body["upstreamAssetId"]).not.toBe(two.body["upstreamAssetId"]);
});
