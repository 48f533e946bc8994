import { test } from "vitest";
import { main } from "../src/client.ts";
import { expectInvalid } from "../src/expect-refusal.ts";

test.for([
  ["outcome", "?outcome=DELIVERED"],
  ["limit", "?limit=0"],
  ["limit", "?limit=101"],
  ["limit", "?limit=x"],
  ["cursor", "?cursor=x"],
] as const)("%s is named when it is wrong: %s", async ([param, query]) => {
  expectInvalid(await main.listDeliveries(query), param);
});
