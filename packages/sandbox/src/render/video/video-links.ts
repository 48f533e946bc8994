import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";

export interface VideoLinks {
  /** A link that works until `expiresAtMs`. */
  sign(name: string, expiresAtMs: number): string;
  judge(name: string, token: string): "good" | "expired" | "forged";
}

/** Links like the vendor's: whoever has one may read, for a while. They end with the process. */
export function createVideoLinks(baseUrl: () => string, path = "/videos"): VideoLinks {
  const key = randomBytes(32);
  const signatureOf = (name: string, expires: string) =>
    createHmac("sha256", key).update(`${name}\n${expires}`).digest("base64url");
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
