import { createHmac, timingSafeEqual } from "node:crypto";
import { mediaPath } from "./media-url.ts";

/** The folder driver's own upload links: what they allow is in them, and signed. */
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

/** Whether we made this link and it still holds. */
export function isGranted(secret: string, grant: UploadGrant, signature: string): boolean {
  const expected = Buffer.from(sign(secret, grant));
  const given = Buffer.from(signature);
  const isOurs = given.length === expected.length && timingSafeEqual(given, expected);
  return isOurs && grant.expiresAt > Date.now();
}

/** The words in front keep it apart from what else is made with the same secret. */
function sign(secret: string, { key, sizeBytes, expiresAt }: UploadGrant): string {
  const text = `upload link ${key} ${sizeBytes} ${expiresAt}`;
  return createHmac("sha256", secret).update(text).digest("base64url");
}
