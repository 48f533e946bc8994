import { test } from "vitest";
import { main } from "../src/client.ts";
import { expectInvalid } from "../src/expect-refusal.ts";

const good = { url: "https://example.com/a.png", type: "IMAGE" };

test.for<[param: string, change: object]>([
  ["url", { url: undefined }],
  ["url", { url: 1 }],
  ["url", { url: "a.png" }],
  ["url", { url: "ftp://example.com/a.png" }],
  ["url", { url: "https://10.0.0.1/a.png" }],
  ["url", { url: "https://169.254.169.254/" }],
  ["url", { url: "https://user:word@example.com/" }],
  ["url", { url: `https://example.com/${"a".repeat(5_000)}` }],
  ["type", { type: undefined }],
  ["type", { type: "image" }],
  ["type", { type: "NONE" }],
  ["name", { name: "x".repeat(65) }],
  ["name", { name: 1 }],
])("§4.4 %s is named when it is wrong: %j", async ([param, change]) => {
  expectInvalid(await main.uploadAsset({ ...good, ...change }), param);
});
