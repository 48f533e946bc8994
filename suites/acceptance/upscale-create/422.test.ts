import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { main } from "../src/client.ts";
import { expectInvalid, expectRefusal } from "../src/expect-refusal.ts";
import { nowhere } from "../src/upscale.ts";

const body = { source: nowhere, targetResolution: "1080p" };

test("Idempotency-Key: the same key with another body is a 422; 400 comes before it", async () => {
  const key = { "idempotency-key": randomUUID() };
  const first = await main.createUpscale(body, key);
  expect(first.status, first.text).toBe(200);
  const another = await main.createUpscale({ ...body, targetResolution: "4k" }, key);
  expectRefusal(another, { status: 422, code: "idempotency_key_reused" });
  const wrong = await main.createUpscale({ ...body, targetResolution: "8k" }, key);
  expectInvalid(wrong, "targetResolution");
});
