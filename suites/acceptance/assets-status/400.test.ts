import { test } from "vitest";
import { main } from "../src/client.ts";
import { expectInvalid } from "../src/expect-refusal.ts";

test.for(["", "?assetId="])("§4.5 assetId is required: %j", async (query) => {
  expectInvalid(await main.get(`/api/v1/assets/status${query}`), "assetId");
});
