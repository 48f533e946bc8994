import { hash, randomInt } from "node:crypto";
import { crc32 } from "node:zlib";

/**
 * An API key is `zoe_live_` or `zoe_test_` (a service key `zoe_ops_`) + 32 random characters + 6 characters
 * of checksum. The prefix lets secret scanners find leaked keys and people see which are worth money; the
 * checksum distinguishes a typo from a revoked key without a query. The checksum includes the number of the
 * shard where the key was made, so that the key shows where to look it up. With 190 random bits a fast hash
 * is enough to store.
 */
const prefixes = { live: "zoe_live_", test: "zoe_test_" } as const;
export type KeyMode = keyof typeof prefixes;
/**
 * The prefix of keys for the operator API. They are stored in the directory, and their checksum is that of
 * the directory.
 */
const servicePrefix = "zoe_ops_";
const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const randomLength = 32;
const checksumLength = 6;
const hintRandomLength = 4;

export function newApiKey(mode: KeyMode = "live", shard = 0): NewKey {
  return newKey(prefixes[mode], shard);
}

export function newServiceKey(): NewKey {
  return newKey(servicePrefix, 0);
}

interface NewKey {
  key: string;
  /** The beginning of the key, to recognise it by. */
  hint: string;
  hash: Buffer;
}

function newKey(prefix: string, shard: number): NewKey {
  let random = "";
  for (let i = 0; i < randomLength; i++) random += alphabet.charAt(randomInt(alphabet.length));
  const key = prefix + random + checksum(random, shard);
  return { key, hint: key.slice(0, prefix.length + hintRandomLength), hash: hashApiKey(key) };
}

/** Whether a text begins as the keys of every deployment do. */
export function looksLikeKey(text: string): boolean {
  return Object.values(prefixes).some((prefix) => text.startsWith(prefix));
}

export function looksLikeServiceKey(text: string): boolean {
  return text.startsWith(servicePrefix);
}

/** Whether the text has the form and checksum of a service key. Says nothing about whether the key exists. */
export function isServiceKey(text: string): boolean {
  return looksLikeServiceKey(text) && shardIn(text, servicePrefix, 1) === 0;
}

export function hashApiKey(key: string): Buffer {
  return hash("sha256", key, "buffer");
}

/**
 * The shard where a key was made, of the first `shards`; null if the text has not the form and checksum
 * of an API key. Says nothing about whether the key exists.
 */
export function shardOfKey(text: string, shards: number): number | null {
  const prefix = Object.values(prefixes).find((one) => text.startsWith(one));
  return prefix === undefined ? null : shardIn(text, prefix, shards);
}

function shardIn(text: string, prefix: string, shards: number): number | null {
  if (text.length !== prefix.length + randomLength + checksumLength) return null;
  const random = text.slice(prefix.length, -checksumLength);
  const presented = text.slice(-checksumLength);
  for (let shard = 0; shard < shards; shard++)
    if (checksum(random, shard) === presented) return shard;
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
