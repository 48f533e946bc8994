import { createHmac, timingSafeEqual } from "node:crypto";
import { mediaPath } from "./media-url.ts";

/** Signed upload links of the disk driver; the link states what it allows. */
export interface UploadGrant {
  key: string;
  sizeBytes: number;
  /** Epoch milliseconds. */
  expiresAt: number;
}

export const uploadPath = `${mediaPath}/uploads`;

export function uploadUrl(publicUrl: string, secret: string, grant: UploadGrant): string {
  const query = new URLSearchParams({
    size: String(grant.sizeBytes),
    expires: String(grant.expiresAt),
    signature: sign(secret, grant),
  });
  return `${publicUrl}${uploadPath}/${grant.key}?${query}`;
}

/** Whether the signature is valid and has not expired. */
export function isGranted(secret: string, grant: UploadGrant, signature: string): boolean {
  const expected = Buffer.from(sign(secret, grant));
  const presented = Buffer.from(signature);
  const isOurs = presented.length === expected.length && timingSafeEqual(presented, expected);
  return isOurs && grant.expiresAt > Date.now();
}

/** The prefix separates it from other uses of the same secret. */
function sign(secret: string, { key, sizeBytes, expiresAt }: UploadGrant): string {
  const text = `upload link ${key} ${sizeBytes} ${expiresAt}`;
  return createHmac("sha256", secret).update(text).digest("base64url");
}
