import type { PersonId } from "../../ids.ts";

/** What an authenticator stores with a passkey and tells at sign-in: the person's id, which says nothing of the person. */
export function handleOf(personId: PersonId): Buffer {
  return Buffer.from(personId.replaceAll("-", ""), "hex");
}
