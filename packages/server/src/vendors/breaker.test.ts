import { expect, test } from "vitest";
import { createBreaker } from "./breaker.ts";
import type { SubmitResult } from "./vendor.ts";

const gone: SubmitResult = { kind: "unavailable", detail: "" };
const taken: SubmitResult = { kind: "accepted", jobId: "1" };

function sickBreaker() {
  let nowMs = 0;
  const breaker = createBreaker(30_000, () => nowMs);
  for (let n = 0; n < 5; n++) breaker.note("ark", gone);
  return { breaker, pass: (ms: number) => (nowMs += ms) };
}

test("five failures in a row make an account be passed by, and no other", () => {
  const { breaker } = sickBreaker();
  expect(breaker.isOpen("ark")).toBe(true);
  expect(breaker.isOpen("dashscope")).toBe(false);
});

test("four failures and a success are no reason", () => {
  const breaker = createBreaker(30_000);
  for (let round = 0; round < 3; round++) {
    for (let n = 0; n < 4; n++) breaker.note("ark", gone);
    expect(breaker.isOpen("ark")).toBe(false);
    breaker.note("ark", taken);
  }
});

test("after thirty seconds one is let through, and its success opens the way for all", () => {
  const { breaker, pass } = sickBreaker();
  pass(30_000);
  expect([breaker.isOpen("ark"), breaker.isOpen("ark")]).toEqual([false, true]);
  breaker.note("ark", taken);
  expect(breaker.isOpen("ark")).toBe(false);
});

test("the one that is let through and fails closes the way for another thirty seconds", () => {
  const { breaker, pass } = sickBreaker();
  pass(30_000);
  breaker.isOpen("ark");
  pass(10_000);
  breaker.note("ark", gone);
  pass(29_999);
  expect(breaker.isOpen("ark")).toBe(true);
  pass(1);
  expect(breaker.isOpen("ark")).toBe(false);
});

test("what is wrong with one task says nothing about the account; its money and its key do", () => {
  const { breaker } = sickBreaker();
  breaker.note("ark", { kind: "refused", code: "input_blocked", detail: "" });
  expect(breaker.isOpen("ark")).toBe(false);
  for (let n = 0; n < 5; n++)
    breaker.note("ark", { kind: "refused", code: "vendor_unavailable", detail: "" });
  expect(breaker.isOpen("ark")).toBe(true);
  for (let n = 0; n < 5; n++)
    breaker.note("b", { kind: "throttled", retryAfterMs: null, detail: "" });
  expect(breaker.isOpen("b")).toBe(false);
});

test("what kept us from asking the vendor neither makes an account sick nor well", () => {
  const ours: SubmitResult = { kind: "unavailable", detail: "", isOurs: true };
  const breaker = createBreaker(30_000);
  for (let n = 0; n < 10; n++) breaker.note("ark", ours);
  expect(breaker.isOpen("ark")).toBe(false);
  const { breaker: sick } = sickBreaker();
  sick.note("ark", ours);
  expect(sick.isOpen("ark")).toBe(true);
});
