import type { EndpointId } from "../../ids.ts";
import { decrypt, encrypt, isEncrypted, type KeyRing } from "../../key-ring.ts";

/** As it is stored. Without a key ring, in development, that is the secret itself. */
export function storedEndpointSecret(ring: KeyRing | null, secret: string, id: EndpointId): string {
  return ring === null ? secret : encrypt(ring, secret, rowOf(id));
}

export function readEndpointSecret(ring: KeyRing | null, stored: string, id: EndpointId): string {
  return isEncrypted(stored) ? decrypt(ring, stored, rowOf(id)) : stored;
}

function rowOf(id: EndpointId): string {
  return `webhook endpoint ${id}`;
}
