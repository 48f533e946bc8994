import { createHash } from "node:crypto";

export function etagOf(content: string | Buffer): string {
  return `"${createHash("sha256").update(content).digest("base64url")}"`;
}

/** Whether `If-None-Match` names the current ETag, so that 304 is returned. */
export function matchesEtag(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  const named = ifNoneMatch.split(",").map((one) => one.trim().replace(/^W\//, ""));
  return named.includes("*") || named.includes(etag);
}
