import {
  createCipheriv,
  createDecipheriv,
  createSecretKey,
  type KeyObject,
  randomBytes,
} from "node:crypto";

/**
 * The keys that encrypt secrets in the database. The first one encrypts, all of them decrypt, so that a
 * key can be replaced while the service runs.
 */
export interface KeyRing {
  readonly currentId: string;
  /** The keys by id. A KeyObject shows nothing of the key when it is logged. */
  readonly keys: ReadonlyMap<string, KeyObject>;
}

/** The key that a text was encrypted with is not in the ring. */
export class MissingKeyError extends Error {}

const algorithm = "aes-256-gcm";
const keyBytes = 32;
const nonceBytes = 12;
const tagBytes = 16;
const keysMax = 20;
const mark = "enc1";
const idPattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,39}$/;

/** The command that makes a first ring; the same line again, before the others, replaces the key. */
export const newRingHint =
  '(umask 077; echo "$(date +%Y-%m-%d) $(openssl rand -base64 32)" > key-ring)';

/** One key a line, an id and 32 bytes in base64; `#` begins a comment. Messages never repeat the text. */
export function parseKeyRing(text: string): KeyRing {
  const keys = new Map<string, KeyObject>();
  for (const [index, line] of text.split("\n").entries()) {
    const [id, key, ...rest] = line.split("#", 1).join("").trim().split(/\s+/);
    if (id === undefined || id === "") continue;
    const at = `line ${index + 1}`;
    if (!idPattern.test(id) || key === undefined || rest.length > 0)
      throw new Error(`${at} must be an id and a key, separated by a space`);
    const bytes = Buffer.from(key, "base64");
    if (bytes.length !== keyBytes || bytes.toString("base64") !== key)
      throw new Error(`${at}: the key must be 32 bytes in base64, as openssl rand -base64 32`);
    const made = createSecretKey(bytes);
    if (keys.has(id)) throw new Error(`${at}: this id is used twice`);
    if ([...keys.values()].some((other) => other.equals(made)))
      throw new Error(`${at}: this key is used twice`);
    keys.set(id, made);
  }
  const [currentId] = keys.keys();
  if (currentId === undefined) throw new Error("must have at least one key");
  if (keys.size > keysMax) throw new Error(`must have at most ${keysMax} keys`);
  return { currentId, keys };
}

/** `row` names the row that holds the result: moved to another row, it cannot be decrypted. */
export function encrypt(ring: KeyRing, text: string, row: string): string {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv(algorithm, keyOf(ring, ring.currentId), nonce);
  cipher.setAAD(Buffer.from(row));
  const bytes = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
  const whole = Buffer.concat([nonce, cipher.getAuthTag(), bytes]);
  return `${mark}:${ring.currentId}:${whole.toString("base64")}`;
}

export function decrypt(ring: KeyRing | null, stored: string, row: string): string {
  const key = keyOf(ring, keyIdOf(stored) ?? "");
  const [, , encoded = ""] = stored.split(":");
  const whole = Buffer.from(encoded, "base64");
  if (whole.length < nonceBytes + tagBytes) throw new Error(`the secret of ${row} is damaged`);
  const nonce = whole.subarray(0, nonceBytes);
  const decipher = createDecipheriv(algorithm, key, nonce, { authTagLength: tagBytes });
  decipher.setAAD(Buffer.from(row));
  decipher.setAuthTag(whole.subarray(nonceBytes, nonceBytes + tagBytes));
  try {
    const bytes = whole.subarray(nonceBytes + tagBytes);
    return Buffer.concat([decipher.update(bytes), decipher.final()]).toString("utf8");
  } catch {
    throw new Error(`the secret of ${row} was changed, moved, or encrypted with another key`);
  }
}

/** Whether the secret is encrypted, not one from before there was a ring. */
export function isEncrypted(stored: string): boolean {
  return stored.startsWith(`${mark}:`);
}

/** The key that has encrypted a text. Null: none. */
export function keyIdOf(stored: string): string | null {
  return isEncrypted(stored) ? (stored.split(":")[1] ?? "") : null;
}

function keyOf(ring: KeyRing | null, id: string): KeyObject {
  const key = ring?.keys.get(id);
  if (key === undefined) throw new MissingKeyError(`the key ring has no key ${id}`);
  return key;
}
