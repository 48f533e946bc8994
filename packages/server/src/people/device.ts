import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";

export const deviceSecondsMax = 365 * 24 * 3600;

/**
 * Proves that the person with this e-mail address signed in from this browser before. Such a browser has a
 * separate budget of guesses, so that strangers who guess cannot lock the person out.
 */
export function newDeviceToken(secret: string, email: string): string {
  const nonce = randomBytes(16).toString("base64url");
  return `${nonce}.${sign(secret, email, nonce).toString("base64url")}`;
}

/** The device, if the token is one for this address. */
export function readDevice(secret: string, email: string, token: string | null): string | null {
  const [nonce = "", signature = ""] = token?.split(".") ?? [];
  const presented = Buffer.from(signature, "base64url");
  const expected = sign(secret, email, nonce);
  return presented.length === expected.length && timingSafeEqual(presented, expected)
    ? nonce
    : null;
}

function sign(secret: string, email: string, nonce: string): Buffer {
  return createHmac("sha256", secret).update(`device ${nonce} ${email.toLowerCase()}`).digest();
}
