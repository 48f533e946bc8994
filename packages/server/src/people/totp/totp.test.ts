import { randomBytes } from "node:crypto";
import { generateSync } from "otplib";
import { expect, test } from "vitest";
import type { PersonId } from "../../ids.ts";
import { parseKeyRing } from "../../secrets/key-ring.ts";
import { hashRecoveryCode, newRecoveryCodes } from "./recovery-codes.ts";
import {
  matchStep,
  newTotpSecret,
  otpauthUrlOf,
  readTotpSecret,
  storedTotpSecret,
} from "./totp.ts";

const at = (step: number) => step * 30_000 + 12_000;
const codeAt = (secret: string, step: number) => generateSync({ secret, epoch: step * 30 });

test("codes are those of RFC 6238", () => {
  const secret = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"; // 12345678901234567890
  expect(matchStep(secret, "287082", 0, 59_000)).toBe(1);
  expect(matchStep(secret, "005924", 0, 1_234_567_890_000)).toBe(41_152_263);
});

test("a code of the step before or after is accepted, one further away is not", () => {
  const secret = newTotpSecret();
  const accepted = [-2, -1, 0, 1, 2].map((off) =>
    matchStep(secret, codeAt(secret, 5_000 + off), 0, at(5_000)),
  );
  expect(accepted).toEqual([null, 4_999, 5_000, 5_001, null]);
});

test("no code up to the last accepted step is accepted, also when the clock went back", () => {
  const secret = newTotpSecret();
  const code = codeAt(secret, 5_000);
  expect(matchStep(secret, code, 4_999, at(5_000))).toBe(5_000);
  for (const lastStep of [5_000, 5_001, 6_000])
    expect(matchStep(secret, code, lastStep, at(5_000)), String(lastStep)).toBeNull();
});

test("what is not six digits is no code", () => {
  const secret = newTotpSecret();
  for (const code of ["", "12345", "1234567", "١٢٣٤٥٦", "12345a", " 123456"])
    expect(matchStep(secret, code, 0, at(5_000)), code).toBeNull();
});

test("the URL for the app names the service and the person, whatever they are called", () => {
  const url = new URL(otpauthUrlOf("ABCDEFGHIJKLMNOP", "Zoetrope (a.example)", "a:b&c@d.example"));
  expect(url.protocol).toBe("otpauth:");
  expect(decodeURIComponent(url.pathname)).toContain("Zoetrope (a.example):a:b&c@d.example");
  expect(url.searchParams.get("secret")).toBe("ABCDEFGHIJKLMNOP");
  expect(url.searchParams.get("issuer")).toBe("Zoetrope (a.example)");
});

test("a stored secret is encrypted and is refused in another person's row", () => {
  const ring = parseKeyRing(`test ${randomBytes(32).toString("base64")}`);
  const [own, other] = ["one", "two"] as PersonId[];
  if (own === undefined || other === undefined) throw new Error("no people");
  const stored = storedTotpSecret(ring, "SECRET", own);
  expect(stored).not.toContain("SECRET");
  expect(readTotpSecret(ring, stored, own)).toBe("SECRET");
  expect(() => readTotpSecret(ring, stored, other)).toThrow("changed, moved");
});

test("there are ten recovery codes of 80 bits, and how one is typed does not matter", () => {
  const codes = newRecoveryCodes();
  expect(new Set(codes).size).toBe(10);
  for (const code of codes) expect(code).toMatch(/^([A-Z2-9]{4}-){3}[A-Z2-9]{4}$/);
  const [code = ""] = codes;
  const typed = ` ${code.toLowerCase().replaceAll("-", " ")}`;
  expect(hashRecoveryCode(typed)).toEqual(hashRecoveryCode(code));
});
