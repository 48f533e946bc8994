import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export interface VideoLinks {
  /** A link that works until `expiresAtMs`. */
  sign(name: string, expiresAtMs: number): string;
  judge(name: string, token: string): "good" | "expired" | "forged";
}

/** Returns the key that signs links, the same at every start of a sandbox that keeps `dir`. */
export function readLinkKey(dir: string): Buffer {
  const path = join(dir, "link-key");
  if (!existsSync(path)) writeFileSync(path, randomBytes(32), { mode: 0o600 });
  return readFileSync(path);
}

/** Creates links like the vendor's: anybody who has one may read, for a while. */
export function createVideoLinks(key: Buffer, baseUrl: () => string, path = "/videos"): VideoLinks {
  const signatureOf = (name: string, expires: string) =>
    createHmac("sha256", key).update(`${path}/${name}\n${expires}`).digest("base64url");
  return {
    sign(name, expiresAtMs) {
      const expires = String(Math.floor(expiresAtMs));
      return `${baseUrl()}${path}/${name}?token=${expires}.${signatureOf(name, expires)}`;
    },
    judge(name, token) {
      const [expires = "", signature = ""] = token.split(".");
      const given = Buffer.from(signature);
      const right = Buffer.from(signatureOf(name, expires));
      if (given.length !== right.length || !timingSafeEqual(given, right)) return "forged";
      return Number(expires) > Date.now() ? "good" : "expired";
    },
  };
}
