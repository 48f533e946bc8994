import { test } from "vitest";
import { main } from "../src/client.ts";
import { expectInvalid } from "../src/expect-refusal.ts";

test.for([
  ["after", "?after=x"],
  ["after", "?after=-1"],
  ["after", "?after=1.5"],
  ["after", "?after=9007199254740993"],
  ["limit", "?limit=0"],
  ["limit", "?limit=101"],
  ["limit", "?limit=x"],
] as const)("%s is named when it is wrong: %s", async ([param, query]) => {
  expectInvalid(await main.readEvents(query), param);
});
