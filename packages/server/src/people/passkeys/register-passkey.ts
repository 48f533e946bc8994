import type { VerifiedRegistrationResponse } from "@simplewebauthn/server";
import { recordAudit } from "../../audit/record-audit.ts";
import type { DirectoryContext } from "../../context.ts";
import { inTransaction, isUniqueViolation } from "../../db/database.ts";
import { ApiError } from "../../errors.ts";
import { newId, type PasskeyId, type PersonActor } from "../../ids.ts";
import { noticeTo } from "../me/queue-notice.ts";
import { noteProof, type Session } from "../session-queries.ts";
import { newChallenge, takeAnswered } from "./challenge.ts";
import { insertPasskey, listPasskeys, lockPerson } from "./queries.ts";
import { handleOf, loadWebAuthn, relyingPartyOf } from "./relying-party.ts";
import type { RegistrationBody } from "./schema.ts";

export const passkeysMax = 20;
/** ES256, EdDSA, RS256. */
const algorithmIds = [-7, -8, -257];

/** Returns the options for `navigator.credentials.create`. */
export async function beginPasskey(
  ctx: DirectoryContext,
  actor: PersonActor,
  person: { email: string; name: string },
) {
  const known = await listPasskeys(ctx.db, actor.personId, passkeysMax);
  if (known.length >= passkeysMax) throw new ApiError("passkeys_limit");
  const { rpID, rpName } = relyingPartyOf(ctx.config.links.publicUrl);
  const { generateRegistrationOptions } = await loadWebAuthn();
  const options = await generateRegistrationOptions({
    rpID,
    rpName,
    userName: person.email,
    userDisplayName: person.name,
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

/** Stores the passkey that the browser made, which has proved that it holds the private key. */
export async function addPasskey(
  ctx: DirectoryContext,
  session: Pick<Session, "id" | "personId">,
  actor: PersonActor,
  body: RegistrationBody,
) {
  const { personId } = actor;
  const { credential } = await verify(ctx, actor, body);
  const id = newId<PasskeyId>(0);
  try {
    await inTransaction(ctx.db, async (tx) => {
      await lockPerson(tx, personId); // of several at once the last ones see that there are enough
      if ((await listPasskeys(tx, personId, passkeysMax)).length >= passkeysMax)
        throw new ApiError("passkeys_limit");
      await insertPasskey(tx, {
        id,
        personId,
        name: body.name,
        counter: credential.counter,
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
      await noteProof(tx, session, { isFactor: true });
      await noticeTo(ctx, tx, personId, "passkeyAdded");
    });
  } catch (error) {
    if (isUniqueViolation(error)) throw new ApiError("passkey_exists");
    throw error;
  }
  return { passkeyId: id, name: body.name };
}

async function verify(
  ctx: DirectoryContext,
  { personId }: PersonActor,
  { credential }: RegistrationBody,
) {
  const refusal = () => new ApiError("passkey_refused");
  const challenge = await takeAnswered(ctx, credential.response.clientDataJSON, personId);
  if (challenge === null) throw refusal();
  const { rpID, origin } = relyingPartyOf(ctx.config.links.publicUrl);
  const { verifyRegistrationResponse } = await loadWebAuthn();
  let verified: VerifiedRegistrationResponse;
  try {
    verified = await verifyRegistrationResponse({
      response: credential,
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: rpID,
      requireUserVerification: true,
      supportedAlgorithmIDs: algorithmIds,
    });
  } catch (error) {
    ctx.log.info({ event: "passkey.refused", personId, reason: String(error) });
    throw refusal();
  }
  if (!verified.verified) throw refusal();
  return verified.registrationInfo;
}
