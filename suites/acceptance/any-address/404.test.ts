import { test } from "vitest";
import { main } from "../src/client.ts";
import { expectRefusal } from "../src/expect-refusal.ts";

for (const [why, path] of [
  ["§7 there is nothing here", "/api/v1/nothing"],
  ["§7 there is nothing here", "/api/v1/jobs"],
  ["§7 there is nothing behind an endpoint", "/api/v1/account/credits/more"],
  ["§7 addresses are case-sensitive", "/api/v1/jobs/querytask?taskId=1"],
  ["§9 the version is the path prefix", "/jobs/queryTask?taskId=1"],
  ["§9 the version is the path prefix", "/api/v2/account/credits"],
])
  test(`${why}: ${path} is a 404`, async () => {
    expectRefusal(await main.get(path ?? ""), { status: 404, code: "not_found" });
  });
