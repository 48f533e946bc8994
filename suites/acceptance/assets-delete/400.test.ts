import { test } from "vitest";
import { main } from "../src/client.ts";
import { expectInvalid } from "../src/expect-refusal.ts";

test.for(["", `${"a".repeat(101)}`])("assetId is required: %j", async (assetId) => {
  expectInvalid(await main.deleteAsset(assetId), "assetId");
});
