import assert from "node:assert";
import { recordAudit } from "../../audit/record-audit.ts";
import { type DirectoryTx, inTransaction } from "../../db/database.ts";
import { ApiError } from "../../errors.ts";
import { type IdentityId, newId, type PersonId, type SessionId } from "../../ids.ts";
import { beginForPerson } from "../begin-for-person.ts";
import type { PeopleContext } from "../context.ts";
import { noticeTo } from "../me/queue-notice.ts";
import { noteFirstFactor } from "../proof/prove.ts";
import { personActor, type RequestFacts } from "../request-facts.ts";
import { needsSecondFactor } from "../second-factor.ts";
import { hashToken } from "../token.ts";
import { acceptByOidc } from "./accept-by-oidc.ts";
import { requireProvider } from "./begin-visit.ts";
import type { Claims } from "./openid-provider.ts";
import { findPersonOfSession, putIdentity, takeVisit, useIdentity } from "./queries.ts";
import { ownUrlOf } from "./return-to.ts";

interface Return {
  /** Everything that the provider added to our URL. */
  query: URLSearchParams;
  /** From the cookie. */
  verifier: string;
}

/**
 * Ends a visit to the provider: signs the person of the identity in, links the identity to the person who
 * began the visit, or accepts an invitation. An identity is the provider's subject; an e-mail address
 * alone gives nobody access.
 */
export async function endVisit(
  ctx: PeopleContext,
  { query, verifier }: Return,
  facts: RequestFacts,
) {
  const provider = requireProvider(ctx);
  const state = query.get("state") ?? "";
  const visit = await takeVisit(ctx.db, hashToken(state), hashToken(verifier));
  if (visit === undefined) throw new ApiError("oidc_refused");
  const claims = await provider.redeem(query, { state, nonce: visit.nonce, verifier });
  const session = await inTransaction(ctx.db, async (tx) => {
    if (visit.sessionId !== null) {
      await (visit.proves ? proveByOidc : linkIdentity)(ctx, tx, visit.sessionId, claims, facts);
      return null;
    }
    const known = await useIdentity(tx, claims.issuer, claims.subject);
    const personId =
      known ?? (await acceptByOidc(tx, visit.invitationHash, { claims, provider, facts }));
    const awaitsFactor = await needsSecondFactor(tx, personId);
    return beginForPerson(ctx, tx, personId, facts, { awaitsFactor });
  });
  return { location: locationOf(ctx, visit.returnTo, session?.awaitsFactor ?? false), session };
}

/** The page learns from its URL that a code is missing: the session's cookie is hidden from it. */
function locationOf({ config }: PeopleContext, returnTo: string, awaitsFactor: boolean): string {
  const own = ownUrlOf(config.links.publicUrl, returnTo);
  assert(own !== null, "a visit returns to our own pages");
  const location = new URL(own);
  if (awaitsFactor) location.searchParams.set("signIn", "second_factor_required");
  return location.href;
}

/** The maximum age of the person's sign-in at the provider, which was asked for a new one. */
const authenticatedSecondsMax = 10 * 60;

/** The identity must be one of the person's own, and not from a sign-in of hours ago. */
async function proveByOidc(
  _ctx: PeopleContext,
  tx: DirectoryTx,
  sessionId: SessionId,
  { issuer, subject, authenticatedAt }: Claims,
  facts: RequestFacts,
): Promise<void> {
  const personId = await findPersonOfSession(tx, sessionId);
  if (personId === undefined) throw new ApiError("signed_out");
  if (authenticatedAt !== null && Date.now() / 1000 - authenticatedAt > authenticatedSecondsMax)
    throw new ApiError("oidc_refused");
  if ((await useIdentity(tx, issuer, subject)) !== personId) throw new ApiError("oidc_refused");
  await noteFirstFactor(tx, { id: sessionId, personId }, "oidc", facts);
}

async function linkIdentity(
  ctx: PeopleContext,
  tx: DirectoryTx,
  sessionId: SessionId,
  { issuer, subject, verifiedEmail }: Claims,
  facts: RequestFacts,
): Promise<void> {
  const personId: PersonId | undefined = await findPersonOfSession(tx, sessionId);
  if (personId === undefined) throw new ApiError("signed_out");
  const id = newId<IdentityId>(0);
  const holder = await putIdentity(tx, { id, personId, issuer, subject, email: verifiedEmail });
  if (holder !== personId) throw new ApiError("identity_taken");
  await recordAudit(tx, personActor(personId, facts), {
    accountId: null,
    action: "identity.link",
    object: personId,
    after: { issuer },
  });
  await noticeTo(ctx, tx, personId, "identityLinked");
}
