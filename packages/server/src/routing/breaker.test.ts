import { expect, test } from "vitest";
import type { SubmitResult } from "../vendors/vendor.ts";
import { healthOf } from "./breaker.ts";

const detail = "";

test.each<[SubmitResult, ReturnType<typeof healthOf>]>([
  [{ kind: "accepted", jobId: "1" }, "well"],
  [{ kind: "throttled", retryAfterMs: null, detail }, "well"],
  [{ kind: "refused", code: "input_blocked", detail }, "well"],
  [{ kind: "refused", code: "vendor_unavailable", detail }, "sick"],
  [{ kind: "unavailable", detail }, "sick"],
  [{ kind: "unknown", detail }, "sick"],
  [{ kind: "unavailable", detail, isOurs: true }, null],
])(
  "what a submit says about its account, and what is wrong with one task says nothing: %j",
  (result, health) => {
    expect(healthOf(result)).toBe(health);
  },
);
