import { randomBytes } from "node:crypto";
import type { AccountId } from "../ids.ts";
import { decrypt, encrypt, isEncrypted, type KeyRing } from "../key-ring.ts";

const secretBytes = 24;

/** In the format of Standard Webhooks: a prefix and the key in base64. */
export function newWebhookSecret(): string {
  return `whsec_${randomBytes(secretBytes).toString("base64")}`;
}

/** As it is stored. Without a key ring, in development, that is the secret itself. */
export function storedSecret(ring: KeyRing | null, secret: string, accountId: AccountId): string {
  return ring === null ? secret : encrypt(ring, secret, rowOf(accountId));
}

/** Secrets from before there was a key ring are stored as they are. */
export function readStoredSecret(
  ring: KeyRing | null,
  stored: string,
  accountId: AccountId,
): string {
  return isEncrypted(stored) ? decrypt(ring, stored, rowOf(accountId)) : stored;
}

function rowOf(accountId: AccountId): string {
  return `webhooks of account ${accountId}`;
}
