import { test } from "vitest";
import { main } from "../src/client.ts";
import { expectInvalid } from "../src/expect-refusal.ts";

const [from, to] = ["2026-01-01T00:00:00Z", "2026-01-02T00:00:00Z"];

test.for([
  ["to", { from: to, to: from }],
  ["to", { from, to: from }],
  ["to", { from, to: "tomorrow" }],
  ["from", { from: "yesterday", to }],
  ["deliveryId", { deliveryId: "" }],
] as const)("%s is named when it is wrong: %j", async ([param, body]) => {
  expectInvalid(await main.deliverAgain(body), param);
});

test.for([
  {},
  { deliveryId: 7 },
  { from },
  { from, to, outcome: "pending" },
  { deliveryId: "x", from, to },
])("what is to be delivered again is one delivery or a time, not %j", async (body) => {
  expectInvalid(await main.deliverAgain(body), "body");
});
