import { createHmac, timingSafeEqual } from "node:crypto";
import type { TaskId } from "../../ids.ts";

/**
 * Vendors do not sign callbacks, so the callback URL carries a token that only this service can make.
 * Derived, not stored: nothing to leak, nothing to look up.
 */
export function callbackToken(secret: string, taskId: TaskId): string {
  return createHmac("sha256", secret).update(`vendor callback ${taskId}`).digest("base64url");
}

export function isCallbackToken(secret: string, taskId: TaskId, token: string): boolean {
  const expected = Buffer.from(callbackToken(secret, taskId));
  const received = Buffer.from(token);
  return received.length === expected.length && timingSafeEqual(received, expected);
}
