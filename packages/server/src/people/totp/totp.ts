import { generateSecret, generateURI, verifySync } from "otplib";
import type { PersonId } from "../../ids.ts";
import { decrypt, encrypt, isEncrypted, type KeyRing } from "../../secrets/key-ring.ts";
import { authenticatorSecrets } from "../../secrets/kinds.ts";

const secretBytes = 20;
const stepSeconds = 30;
const codePattern = /^\d{6}$/;

/** Returns a new secret in base32, as authenticator apps take it. */
export function newTotpSecret(): string {
  return generateSecret({ length: secretBytes });
}

/** Returns the contents of a QR code for an authenticator app. */
export function otpauthUrlOf(secret: string, issuer: string, email: string): string {
  return generateURI({ issuer, label: email, secret });
}

/** Whether the code is one of an authenticator app, not a recovery code. */
export function isTotpCode(code: string): boolean {
  return codePattern.test(code);
}

/**
 * The step whose code this is: the current one or a neighbour, because clocks differ, but none up to
 * `lastStep`, because a code is accepted once. Null: it is the code of none of them.
 */
export function matchStep(
  secret: string,
  code: string,
  lastStep: number,
  nowMs: number,
): number | null {
  const epoch = Math.floor(nowMs / 1000);
  const newest = Math.floor(epoch / stepSeconds) + 1;
  if (!isTotpCode(code) || lastStep >= newest) return null;
  const found = verifySync({
    secret,
    token: code,
    epoch,
    period: stepSeconds,
    epochTolerance: stepSeconds,
    afterTimeStep: lastStep,
  });
  return found.valid && "timeStep" in found ? found.timeStep : null;
}

/** Returns the secret as it is stored. Without a key ring, in development, that is the secret itself. */
export function storedTotpSecret(ring: KeyRing | null, secret: string, personId: PersonId): string {
  return ring === null ? secret : encrypt(ring, secret, authenticatorSecrets.rowOf(personId));
}

export function readTotpSecret(ring: KeyRing | null, stored: string, personId: PersonId): string {
  return isEncrypted(stored) ? decrypt(ring, stored, authenticatorSecrets.rowOf(personId)) : stored;
}
