import { test } from "vitest";
import { main } from "../src/client.ts";
import { expectInvalid } from "../src/expect-refusal.ts";

test.for([
  ["type", "?type=image"],
  ["status", "?status=active"],
  ["limit", "?limit=0"],
  ["limit", "?limit=51"],
  ["limit", "?limit=x"],
  ["cursor", "?cursor=x"],
  ["cursor", "?cursor=1.5"],
] as const)("§4.6 %s is named when it is wrong: %s", async ([param, query]) => {
  expectInvalid(await main.listAssets(query), param);
});
