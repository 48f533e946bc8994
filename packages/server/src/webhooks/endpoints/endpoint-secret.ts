import type { EndpointId } from "../../ids.ts";
import { decrypt, encrypt, isEncrypted, type KeyRing } from "../../secrets/key-ring.ts";
import { endpointSecrets } from "../../secrets/kinds.ts";

/** Returns the secret as it is stored. Without a key ring, in development, that is the secret itself. */
export function storedEndpointSecret(ring: KeyRing | null, secret: string, id: EndpointId): string {
  return ring === null ? secret : encrypt(ring, secret, endpointSecrets.rowOf(id));
}

export function readEndpointSecret(ring: KeyRing | null, stored: string, id: EndpointId): string {
  return isEncrypted(stored) ? decrypt(ring, stored, endpointSecrets.rowOf(id)) : stored;
}
