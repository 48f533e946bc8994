import { createHmac, timingSafeEqual } from "node:crypto";

/**
 * Vendors sign nothing, so the address they call back carries a token that only we can make.
 * Derived, not stored: there is nothing to leak and nothing to look up.
 */
export function callbackToken(secret: string, taskId: string): string {
  return createHmac("sha256", secret).update(`vendor callback ${taskId}`).digest("base64url");
}

export function isCallbackToken(secret: string, taskId: string, token: string): boolean {
  const expected = Buffer.from(callbackToken(secret, taskId));
  const given = Buffer.from(token);
  return given.length === expected.length && timingSafeEqual(given, expected);
}
