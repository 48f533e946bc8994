import { test } from "vitest";
import { main } from "../src/client.ts";
import { expectInvalid } from "../src/expect-refusal.ts";

for (const [what, query] of [
  ["without taskId", ""],
  ["with an empty taskId", "?taskId="],
  ["with a taskId in another spelling", "?taskid=1"],
])
  test(`§4.8 upscale/query ${what} is a 400 that names taskId`, async () => {
    expectInvalid(await main.get(`/api/v1/upscale/query${query}`), "taskId");
  });
