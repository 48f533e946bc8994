import { test } from "vitest";
import { main } from "../src/client.ts";
import { expectInvalid } from "../src/expect-refusal.ts";

test.for(["", "?deliveryId=", `?deliveryId=${"a".repeat(101)}`])(
  "deliveryId is required and short: '%s' is a 400",
  async (query) => {
    expectInvalid(await main.get(`/api/v1/webhooks/delivery${query}`), "deliveryId");
  },
);
