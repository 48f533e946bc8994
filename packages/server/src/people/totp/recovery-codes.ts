import { createHash, randomBytes } from "node:crypto";

const codesMax = 10;
const codeChars = 16;
/** 32 characters that are hard to confuse: each carries 5 bits. */
const alphabet = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789";

/** Each is used once, in place of a code of the authenticator app. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: codesMax }, () => {
    const text = [...randomBytes(codeChars)].map((byte) => alphabet[byte % 32]).join("");
    return text.match(/.{4}/g)?.join("-") ?? text;
  });
}

/** However it was typed: case, spaces and dashes do not matter. */
export function hashRecoveryCode(code: string): Buffer {
  const plain = code.toUpperCase().replace(/[\s-]/g, "");
  return createHash("sha256").update(plain).digest();
}
