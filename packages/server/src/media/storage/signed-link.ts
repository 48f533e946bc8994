import { createHmac, timingSafeEqual } from "node:crypto";
import { z } from "zod";
import { mediaPath, mediaUrl } from "./media-url.ts";
import { isPrivateKey } from "./storage.ts";

/** Longer than any task lives: a vendor may fetch its inputs late. */
const vendorMs = 24 * 60 * 60 * 1000;
/** Links of one file stay the same for this long, and are valid for that much longer than requested. */
const roundMs = 10 * 60 * 1000;

interface Signer {
  publicUrl: string;
  secret: string;
}

/** Other query parameters are ignored. */
export const signatureQuery = z.object({
  expires: z.coerce.number().int().optional().catch(undefined),
  signature: z.string().optional().catch(undefined),
});
type LinkSignature = z.output<typeof signatureQuery>;

/** A signed link to a file below the media path, valid for at least this long. */
export function signedUrl(signer: Signer, path: string, forMs: number): string {
  const expires = Math.ceil((Date.now() + forMs) / roundMs) * roundMs;
  const signature = sign(signer, path, expires);
  const query = new URLSearchParams({ expires: String(expires), signature });
  return `${signer.publicUrl}${mediaPath}/${path}?${query}`;
}

/** The link by which a vendor fetches an object. */
export function vendorUrl(signer: Signer, key: string): string {
  return isPrivateKey(key) ? signedUrl(signer, key, vendorMs) : mediaUrl(signer.publicUrl, key);
}

/** Whether the signature is valid and has not expired. */
export function isSigned(signer: Signer, path: string, signature: LinkSignature): boolean {
  if (signature.expires === undefined || signature.signature === undefined) return false;
  const expected = Buffer.from(sign(signer, path, signature.expires));
  const actual = Buffer.from(signature.signature);
  const isOurs = actual.length === expected.length && timingSafeEqual(actual, expected);
  return isOurs && signature.expires > Date.now();
}

/** The prefix separates it from other uses of the same secret. */
function sign(signer: Signer, path: string, expires: number): string {
  const text = `media link ${path} ${expires}`;
  return createHmac("sha256", signer.secret).update(text).digest("base64url");
}
