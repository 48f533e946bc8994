import type { PersonId } from "../../ids.ts";

/** 300 modules, a seventh of all that api would load at its start: loaded when first a passkey is used. */
export const loadWebAuthn = () => import("@simplewebauthn/server");

/**
 * The relying party to which passkeys are bound. A change of the host of PUBLIC_URL makes all of them
 * unusable.
 */
export interface RelyingParty {
  rpID: string;
  rpName: string;
  origin: string;
}

export function relyingPartyOf(publicUrl: string): RelyingParty {
  const { hostname, origin } = new URL(publicUrl);
  return { rpID: hostname, rpName: "Zoetrope", origin };
}

/**
 * Returns the handle that an authenticator stores with a passkey and sends at sign-in: the person's id,
 * which reveals nothing about the person.
 */
export function handleOf(personId: PersonId): Buffer {
  return Buffer.from(personId.replaceAll("-", ""), "hex");
}
