import { hash, randomInt } from "node:crypto";
import { crc32 } from "node:zlib";

/**
 * An API key is `zoe_live_` or `zoe_test_` + 32 random characters + 6 characters of checksum.
 * The prefix lets secret scanners find leaked keys and people see which are worth money; the checksum distinguishes a typo from a revoked key
 * without asking the database. With 190 random bits a fast hash is enough to store.
 */
const prefixes = { live: "zoe_live_", test: "zoe_test_" } as const;
export type KeyMode = keyof typeof prefixes;
const prefixLength = prefixes.live.length;
const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const randomLength = 32;
const checksumLength = 6;
const hintLength = prefixLength + 4;
const keyLength = prefixLength + randomLength + checksumLength;

export function newApiKey(mode: KeyMode = "live"): { key: string; hint: string; hash: Buffer } {
  let random = "";
  for (let i = 0; i < randomLength; i++) random += alphabet.charAt(randomInt(alphabet.length));
  const key = prefixes[mode] + random + checksum(random);
  return { key, hint: key.slice(0, hintLength), hash: hashApiKey(key) };
}

export function hashApiKey(key: string): Buffer {
  return hash("sha256", key, "buffer");
}

/** Whether the text has the form and checksum of an API key; says nothing about whether the key exists. */
export function isWellFormedApiKey(text: string): boolean {
  const isPrefixed = Object.values(prefixes).some((prefix) => text.startsWith(prefix));
  if (text.length !== keyLength || !isPrefixed) return false;
  const random = text.slice(prefixLength, -checksumLength);
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
