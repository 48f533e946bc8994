import { hash, randomInt } from "node:crypto";
import { crc32 } from "node:zlib";

/**
 * An API key is `zoe_live_` + 32 random characters + 6 characters of checksum.
 * The prefix lets secret scanners find leaked keys; the checksum tells a typo from a revoked key
 * without asking the database. With 190 random bits a fast hash is enough to store.
 */
const prefix = "zoe_live_";
const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const randomLength = 32;
const checksumLength = 6;
const hintLength = prefix.length + 4;
const keyLength = prefix.length + randomLength + checksumLength;

export function newApiKey(): { key: string; hint: string; hash: Buffer } {
  let random = "";
  for (let i = 0; i < randomLength; i++) random += alphabet.charAt(randomInt(alphabet.length));
  const key = prefix + random + checksum(random);
  return { key, hint: key.slice(0, hintLength), hash: hashApiKey(key) };
}

export function hashApiKey(key: string): Buffer {
  return hash("sha256", key, "buffer");
}

/** Whether this can be a key of ours at all; says nothing about whether it exists. */
export function isWellFormedApiKey(text: string): boolean {
  if (text.length !== keyLength || !text.startsWith(prefix)) return false;
  const random = text.slice(prefix.length, -checksumLength);
  return checksum(random) === text.slice(-checksumLength);
}

function checksum(random: string): string {
  let rest = crc32(random);
  let text = "";
  for (let i = 0; i < checksumLength; i++) {
    text = alphabet.charAt(rest % alphabet.length) + text;
    rest = Math.floor(rest / alphabet.length);
  }
  return text;
}
