import { test } from "vitest";
import { main } from "../src/client.ts";
import { expectInvalid } from "../src/expect-refusal.ts";

test.for([
  ["status", "?status=completed"],
  ["kind", "?kind=video"],
  ["mode", "?mode=sandbox"],
  ["keyId", "?keyId=x"],
  ["from", "?from=yesterday"],
  ["to", "?to=1"],
  ["limit", "?limit=0"],
  ["limit", "?limit=101"],
  ["cursor", "?cursor=x"],
] as const)("%s is named when it is wrong: %s", async ([param, query]) => {
  expectInvalid(await main.get(`/api/v1/jobs/list${query}`), param);
});
