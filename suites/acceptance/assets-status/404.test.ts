import { expect, test } from "vitest";
import { main, other } from "../src/client.ts";
import { expectRefusal } from "../src/expect-refusal.ts";

const notFound = { status: 404, code: "asset_not_found" };

test.for(["999999999", "0", "-1", "asset-20260101000000-none", "99999999999999999999", "'; --"])(
  "§4.5 an unknown asset is a 404: %s",
  async (assetId) => {
    expectRefusal(await main.readAsset(assetId), notFound);
  },
);

test("§4.5 another account's asset is answered like one that does not exist", async () => {
  const { body } = await main.uploadAsset({ url: "https://example.com/a.png", type: "IMAGE" });
  const missing = await other.readAsset("999999999");
  for (const id of [body["assetId"], body["upstreamAssetId"]]) {
    const answer = await other.readAsset(String(id));
    expectRefusal(answer, notFound);
    expect(answer.body["message"]).toBe(missing.body["message"]);
  }
});
