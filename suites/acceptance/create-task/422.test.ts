import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { main, other } from "../src/client.ts";
import { freePrompt } from "../src/examples.ts";
import { expectInvalid, expectRefusal } from "../src/expect-refusal.ts";

const body = { model: "sd2", inputs: { prompt: freePrompt, duration: "4s" } };

test("Idempotency-Key: the same key with another body is a 422, and nothing more is held", async () => {
  const key = { "idempotency-key": randomUUID() };
  const before = await other.idle();
  const first = await other.createTask(body, key);
  expect(first.status, first.text).toBe(200);
  const longer = { ...body, inputs: { ...body.inputs, duration: "5s" } };
  const reused = { status: 422, code: "idempotency_key_reused" };
  expectRefusal(await other.createTask(longer, key), reused);
  expectRefusal(await other.createTask({ ...body, maxCredits: 24 }, key), reused);
  const { availableCredits } = await other.balance();
  expect(before.availableCredits - availableCredits).toBeLessThanOrEqual(24);
  await other.idle();
});

test("Idempotency-Key: 400 comes before 422", async () => {
  const key = { "idempotency-key": randomUUID() };
  expect((await main.createTask(body, key)).status).toBe(200);
  const answer = await main.createTask({ ...body, model: "sd3" }, key);
  expectInvalid(answer, "model");
});
