import { test } from "vitest";
import { main } from "../src/client.ts";
import { expectInvalid } from "../src/expect-refusal.ts";

const good = { type: "IMAGE", size: 1_000 };

test.for<[param: string, change: object]>([
  ["type", { type: undefined }],
  ["type", { type: "image" }],
  ["type", { type: "NONE" }],
  ["name", { name: "x".repeat(65) }],
  ["name", { name: 1 }],
  ["size", { size: undefined }],
  ["size", { size: 0 }],
  ["size", { size: -1 }],
  ["size", { size: 1.5 }],
  ["size", { size: "1000" }],
  ["size", { size: 200 * 1024 * 1024 + 1 }],
  ["sha256", { sha256: "abc" }],
  ["sha256", { sha256: "g".repeat(64) }],
  ["sha256", { sha256: 1 }],
  ["url", { url: "https://example.com/a.png" }],
])("%s is named when it is wrong: %j", async ([param, change]) => {
  expectInvalid(await main.createUpload({ ...good, ...change }), param);
});
