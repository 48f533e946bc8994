import type { VerifiedAuthenticationResponse } from "@simplewebauthn/server";
import type { DirectoryContext } from "../../context.ts";
import { ApiError } from "../../errors.ts";
import type { PasskeyId, PersonId } from "../../ids.ts";
import { newChallenge, takeAnswered } from "./challenge.ts";
import { findPasskey } from "./queries.ts";
import { handleOf, loadWebAuthn, relyingPartyOf } from "./relying-party.ts";
import type { AssertionBody } from "./schema.ts";

/**
 * Returns the options for `navigator.credentials.get`. They name no passkey: the authenticator offers those
 * that it has. With a person, only that person's proof can use the challenge; without one, a sign-in.
 */
export async function beginPasskeyUse(ctx: DirectoryContext, personId: PersonId | null) {
  const { rpID } = relyingPartyOf(ctx.config.links.publicUrl);
  const challenge = await newChallenge(ctx, personId);
  const { generateAuthenticationOptions } = await loadWebAuthn();
  const options = await generateAuthenticationOptions({
    rpID,
    challenge,
    userVerification: "required",
  });
  return { options: { ...options } };
}

export interface UsedPasskey {
  id: PasskeyId;
  personId: PersonId;
  counter: number;
}

/**
 * Returns the person whose passkey has signed our challenge. The authenticator has verified the person, so
 * that it counts as both factors. Every refusal reads the same, so that it does not reveal whether a
 * passkey exists.
 */
export async function verifyPasskey(
  ctx: DirectoryContext,
  { credential }: AssertionBody,
  personId: PersonId | null,
): Promise<UsedPasskey> {
  const refuse = (reason: string): never => {
    ctx.log.info({ event: "passkey.refused", reason });
    throw new ApiError("passkey_refused");
  };
  const { clientDataJSON, userHandle } = credential.response;
  const challenge = await takeAnswered(ctx, clientDataJSON, personId);
  if (challenge === null) return refuse("unknown, expired or used challenge");
  const passkey = await findPasskey(ctx.db, Buffer.from(credential.id, "base64url"));
  if (passkey === undefined) return refuse("unknown passkey");
  if (!handleOf(passkey.personId).equals(Buffer.from(userHandle, "base64url")))
    return refuse("the passkey belongs to somebody else");
  if (personId !== null && passkey.personId !== personId)
    return refuse("the passkey is not of the person of the session");
  const { rpID, origin } = relyingPartyOf(ctx.config.links.publicUrl);
  const { verifyAuthenticationResponse } = await loadWebAuthn();
  let verified: VerifiedAuthenticationResponse;
  try {
    verified = await verifyAuthenticationResponse({
      response: credential,
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: rpID,
      requireUserVerification: true,
      credential: {
        id: credential.id,
        publicKey: new Uint8Array(passkey.publicKey),
        counter: passkey.counter,
      },
    });
  } catch (error) {
    return refuse(String(error));
  }
  if (!verified.verified) return refuse("wrong signature");
  const { newCounter: counter } = verified.authenticationInfo;
  return { id: passkey.id, personId: passkey.personId, counter };
}
