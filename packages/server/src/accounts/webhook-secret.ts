import { randomBytes } from "node:crypto";
import type { AccountId } from "../ids.ts";
import { decrypt, encrypt, isEncrypted, type KeyRing } from "../secrets/key-ring.ts";
import { accountSecrets } from "../secrets/kinds.ts";

const secretBytes = 24;

/** Returns a secret in the format of Standard Webhooks: a prefix and the key in base64. */
export function newWebhookSecret(): string {
  return `whsec_${randomBytes(secretBytes).toString("base64")}`;
}

/** Returns the secret as it is stored. Without a key ring, in development, that is the secret itself. */
export function storedSecret(ring: KeyRing | null, secret: string, accountId: AccountId): string {
  return ring === null ? secret : encrypt(ring, secret, accountSecrets.rowOf(accountId));
}

/** Secrets from before there was a key ring are stored as they are. */
export function readStoredSecret(
  ring: KeyRing | null,
  stored: string,
  accountId: AccountId,
): string {
  return isEncrypted(stored) ? decrypt(ring, stored, accountSecrets.rowOf(accountId)) : stored;
}
