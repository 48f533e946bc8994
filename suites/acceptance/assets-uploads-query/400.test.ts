import { test } from "vitest";
import { main } from "../src/client.ts";
import { expectInvalid } from "../src/expect-refusal.ts";

test.for(["", "?uploadId=", `?uploadId=${"a".repeat(101)}`])(
  "uploadId is required: %j",
  async (query) => {
    expectInvalid(await main.get(`/api/v1/assets/uploads${query}`), "uploadId");
  },
);
