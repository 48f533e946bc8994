import { expect } from "vitest";
import type { PollResult, SubmitResult } from "../../src/vendors/vendor.ts";
import { secrets, type VendorBed } from "./vendor-bed.ts";

/** Everything in it is short, on one line, and can be stored. */
export function expectWellFormed(outcome: SubmitResult | PollResult): void {
  const { kind } = outcome;
  const kinds = ["accepted", "delivered", "refused", "throttled", "unavailable", "unknown"];
  expect([...kinds, "waiting", "succeeded", "failed", "missing"]).toContain(kind);
  for (const [key, value] of Object.entries(outcome)) {
    if (Buffer.isBuffer(value)) expect(value.length).toBeGreaterThan(0);
    if (typeof value !== "string") continue;
    const lengthMax = key === "mediaUrl" ? 10_000 : 1_000;
    expect(value.length, `${kind} ${key}`).toBeLessThanOrEqual(lengthMax);
    expect(value.isWellFormed() && !/\p{Cc}/u.test(value), `${kind} ${key} ${value}`).toBe(true);
    if (key === "mediaUrl") expect(value).toMatch(/^https?:/);
  }
}

export function expectNoSecret(bed: VendorBed, outcome: object, key = bed.setup.apiKey): void {
  const text = JSON.stringify(outcome);
  for (const secret of [key, ...Object.values(secrets)]) expect(text).not.toContain(secret);
}

export function kindOfFile(bytes: Buffer): "video" | "image" | "unknown" {
  const start = bytes.toString("latin1", 0, 16);
  if (start.slice(4, 8) === "ftyp") return "video";
  const isImage = /^(\x89PNG|\xff\xd8\xff|RIFF.{4}WEBP)/s.test(start);
  return isImage ? "image" : "unknown";
}
