import type { VerifiedAuthenticationResponse } from "@simplewebauthn/server";
import type { Context } from "../../context.ts";
import { ApiError } from "../../errors.ts";
import type { PasskeyId, PersonId } from "../../ids.ts";
import { newChallenge, takeAnswered } from "./challenge.ts";
import { handleOf } from "./handle.ts";
import { findPasskey } from "./queries.ts";
import { relyingPartyOf } from "./relying-party.ts";
import type { AssertionBody } from "./schema.ts";
import { loadWebAuthn } from "./web-authn.ts";

/** What `navigator.credentials.get` takes. It names no passkey: the authenticator offers those that it has. */
export async function beginPasskeySignIn(ctx: Context) {
  const { rpID } = relyingPartyOf(ctx.config.links.publicUrl);
  const challenge = await newChallenge(ctx, null);
  const { generateAuthenticationOptions } = await loadWebAuthn();
  const options = await generateAuthenticationOptions({
    ...{ rpID, challenge, userVerification: "required" },
  });
  return { options: { ...options } };
}

export interface UsedPasskey {
  id: PasskeyId;
  personId: PersonId;
  counter: number;
}

/**
 * Whose passkey has signed our challenge. The authenticator has verified the person, so that it stands
 * for both factors. Every refusal reads the same: whether a passkey exists is nobody's business.
 */
export async function verifyPasskey(
  ctx: Context,
  { credential }: AssertionBody,
): Promise<UsedPasskey> {
  const refuse = (reason: string): never => {
    ctx.log.info({ event: "passkey.refused", reason });
    throw new ApiError("passkey_refused");
  };
  const { clientDataJSON, userHandle } = credential.response;
  const challenge = await takeAnswered(ctx, clientDataJSON, null);
  if (challenge === null) return refuse("unknown, expired or used challenge");
  const passkey = await findPasskey(ctx.db, Buffer.from(credential.id, "base64url"));
  if (passkey === undefined) return refuse("unknown passkey");
  if (!handleOf(passkey.personId).equals(Buffer.from(userHandle, "base64url")))
    return refuse("the passkey belongs to somebody else");
  const { rpID, origin } = relyingPartyOf(ctx.config.links.publicUrl);
  const { verifyAuthenticationResponse } = await loadWebAuthn();
  let verified: VerifiedAuthenticationResponse;
  try {
    verified = await verifyAuthenticationResponse({
      response: credential,
      ...{ expectedChallenge: challenge, expectedOrigin: origin, expectedRPID: rpID },
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
