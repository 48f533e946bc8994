import type { VerifiedRegistrationResponse } from "@simplewebauthn/server";
import type { PersonActor } from "../../actor.ts";
import { recordAudit } from "../../audit/record-audit.ts";
import type { Context } from "../../context.ts";
import { inTransaction, isUniqueViolation } from "../../db/database.ts";
import { ApiError } from "../../errors.ts";
import { newId, type PasskeyId } from "../../ids.ts";
import { newChallenge, takeAnswered } from "./challenge.ts";
import { handleOf } from "./handle.ts";
import { insertPasskey, listPasskeys, lockPerson } from "./queries.ts";
import { algorithmIds, relyingPartyOf } from "./relying-party.ts";
import type { RegistrationBody } from "./schema.ts";
import { loadWebAuthn } from "./web-authn.ts";

export const passkeysMax = 20;

/** What `navigator.credentials.create` takes. */
export async function beginPasskey(
  ctx: Context,
  actor: PersonActor,
  person: { email: string; name: string },
) {
  const known = await listPasskeys(ctx.db, actor.personId, passkeysMax);
  if (known.length >= passkeysMax) throw new ApiError("passkeys_limit");
  const { rpID, rpName } = relyingPartyOf(ctx.config.links.publicUrl);
  const { generateRegistrationOptions } = await loadWebAuthn();
  const options = await generateRegistrationOptions({
    ...{ rpID, rpName, userName: person.email, userDisplayName: person.name },
    userID: new Uint8Array(handleOf(actor.personId)),
    challenge: await newChallenge(ctx, actor.personId),
    excludeCredentials: known.map(({ credentialId, transports }) => ({
      id: credentialId.toString("base64url"),
      transports,
    })),
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
    supportedAlgorithmIDs: algorithmIds,
  });
  return { options: { ...options } };
}

/** Keeps the passkey that the browser made. */
export async function addPasskey(ctx: Context, actor: PersonActor, body: RegistrationBody) {
  const { personId } = actor;
  const { credential } = await verify(ctx, actor, body);
  const id = newId<PasskeyId>(0);
  try {
    await inTransaction(ctx.db, async (tx) => {
      await lockPerson(tx, personId); // of several at once the last ones see that there are enough
      if ((await listPasskeys(tx, personId, passkeysMax)).length >= passkeysMax)
        throw new ApiError("passkeys_limit");
      await insertPasskey(tx, {
        ...{ id, personId, name: body.name, counter: credential.counter },
        credentialId: Buffer.from(credential.id, "base64url"),
        publicKey: Buffer.from(credential.publicKey),
        transports: body.credential.response.transports,
      });
      const after = { name: body.name };
      await recordAudit(tx, actor, {
        accountId: null,
        action: "passkey.create",
        object: id,
        after,
      });
    });
  } catch (error) {
    if (isUniqueViolation(error)) throw new ApiError("passkey_exists");
    throw error;
  }
  return { passkeyId: id, name: body.name };
}

async function verify(ctx: Context, { personId }: PersonActor, { credential }: RegistrationBody) {
  const refusal = () => new ApiError("passkey_refused");
  const challenge = await takeAnswered(ctx, credential.response.clientDataJSON, personId);
  if (challenge === null) throw refusal();
  const { rpID, origin } = relyingPartyOf(ctx.config.links.publicUrl);
  const { verifyRegistrationResponse } = await loadWebAuthn();
  let verified: VerifiedRegistrationResponse;
  try {
    verified = await verifyRegistrationResponse({
      response: credential,
      ...{ expectedChallenge: challenge, expectedOrigin: origin, expectedRPID: rpID },
      ...{ requireUserVerification: true, supportedAlgorithmIDs: algorithmIds },
    });
  } catch (error) {
    ctx.log.info({ event: "passkey.refused", personId, reason: String(error) });
    throw refusal();
  }
  if (!verified.verified) throw refusal();
  return verified.registrationInfo;
}
