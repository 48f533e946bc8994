import { expect, test } from "vitest";
import { isGranted, uploadUrl } from "./upload-link.ts";

const secret = "0123456789abcdef0123456789abcdef";
const inAMinute = Date.now() + 60_000;
const grant = { key: `${"a".repeat(36)}0000.part`, sizeBytes: 1_000, expiresAt: inAMinute };

function signatureOf(granted = grant, by = secret): string {
  const { searchParams } = new URL(uploadUrl("https://videos.example", by, granted));
  return searchParams.get("signature") ?? "";
}

test("a link of ours holds until its time", () => {
  expect(isGranted(secret, grant, signatureOf())).toBe(true);
});

test("a link whose time is over does not hold, however well it is signed", () => {
  const past = { ...grant, expiresAt: Date.now() - 1 };
  expect(isGranted(secret, past, signatureOf(past))).toBe(false);
});

test.each([
  ["key", { key: `${"a".repeat(36)}0001.part` }],
  ["size", { sizeBytes: 1_001 }],
  ["time", { expiresAt: inAMinute + 1 }],
])("a link with another %s does not hold", (_what, change) => {
  expect(isGranted(secret, { ...grant, ...change }, signatureOf())).toBe(false);
});

test.each([
  ["none", ""],
  ["a shorter one", signatureOf().slice(1)],
  ["one of another secret", signatureOf(grant, secret.toUpperCase())],
])("a link with %s for a signature does not hold", (_what, signature) => {
  expect(isGranted(secret, grant, signature)).toBe(false);
});
