import { hash, randomBytes } from "node:crypto";

const tokenPattern = /^[A-Za-z0-9_-]{43}$/;

/** 256 random bits. Only the hash is stored; with so many bits a fast one is enough. */
export function newToken(): { token: string; hash: Buffer } {
  const token = randomBytes(32).toString("base64url");
  return { token, hash: hashToken(token) };
}

export function hashToken(token: string): Buffer {
  return hash("sha256", token, "buffer");
}

export function isWellFormedToken(text: string): boolean {
  return tokenPattern.test(text);
}
