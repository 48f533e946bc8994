import { hash, randomInt } from "node:crypto";
import { crc32 } from "node:zlib";

/**
 * An API key is `zoe_live_` or `zoe_test_` + 32 random characters + 6 characters of checksum.
 * The prefix lets secret scanners find leaked keys and people see which are worth money; the checksum distinguishes a typo from a revoked key
 * without asking the database. The checksum is made with the number of the shard where the key was made, so that
 * whoever has the key knows where to look it up. With 190 random bits a fast hash is enough to store.
 */
const prefixes = { live: "zoe_live_", test: "zoe_test_" } as const;
export type KeyMode = keyof typeof prefixes;
const prefixLength = prefixes.live.length;
const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const randomLength = 32;
const checksumLength = 6;
const hintLength = prefixLength + 4;
const keyLength = prefixLength + randomLength + checksumLength;

export function newApiKey(
  mode: KeyMode = "live",
  shard = 0,
): { key: string; hint: string; hash: Buffer } {
  let random = "";
  for (let i = 0; i < randomLength; i++) random += alphabet.charAt(randomInt(alphabet.length));
  const key = prefixes[mode] + random + checksum(random, shard);
  return { key, hint: key.slice(0, hintLength), hash: hashApiKey(key) };
}

export function hashApiKey(key: string): Buffer {
  return hash("sha256", key, "buffer");
}

/**
 * The shard where a key was made, of the first `shards`; null if the text has not the form and checksum
 * of an API key. Says nothing about whether the key exists.
 */
export function shardOfKey(text: string, shards: number): number | null {
  const isPrefixed = Object.values(prefixes).some((prefix) => text.startsWith(prefix));
  if (text.length !== keyLength || !isPrefixed) return null;
  const random = text.slice(prefixLength, -checksumLength);
  const given = text.slice(-checksumLength);
  for (let shard = 0; shard < shards; shard++) if (checksum(random, shard) === given) return shard;
  return null;
}

function checksum(random: string, shard: number): string {
  let rest = crc32(shard === 0 ? random : `${shard}.${random}`);
  let text = "";
  for (let i = 0; i < checksumLength; i++) {
    text = alphabet.charAt(rest % alphabet.length) + text;
    rest = Math.floor(rest / alphabet.length);
  }
  return text;
}
