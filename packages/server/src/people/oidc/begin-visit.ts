import { randomBytes } from "node:crypto";
import { ApiError, invalid } from "../../errors.ts";
import type { SessionId } from "../../ids.ts";
import type { PeopleContext } from "../context.ts";
import { hashToken, isWellFormedToken } from "../token.ts";
import type { Provider } from "./provider.ts";
import { insertVisit } from "./queries.ts";
import { ownUrlOf } from "./return-to.ts";

/** 256 random bits, in characters that PKCE allows. */
const newSecret = () => randomBytes(32).toString("base64url");

interface Purpose {
  /** The page to come back to. */
  returnTo: string;
  /** The token of an invitation that is accepted. */
  invitation?: string | undefined;
  /** The session of the person who links the identity or uses it to prove who they are. */
  sessionId?: SessionId;
  proves?: boolean;
}

/**
 * Begins a visit to the provider. The verifier is set in a cookie: only the browser that began the visit
 * can end it, and without the verifier the code that the provider gives is worthless.
 */
export async function beginVisit(
  ctx: PeopleContext,
  { returnTo, invitation, sessionId, proves = false }: Purpose,
): Promise<{ url: string; verifier: string }> {
  const provider = requireProvider(ctx);
  if (ownUrlOf(ctx.config.links.publicUrl, returnTo) === null)
    throw invalid("returnTo", "must be a path of this deployment, such as /console");
  if (invitation !== undefined && !isWellFormedToken(invitation))
    throw invalid("invitation", "must be the token of the link in the invitation");
  const visit = { state: newSecret(), nonce: newSecret(), verifier: newSecret() };
  const url = await provider.urlFor({ ...visit, isAgain: proves });
  await insertVisit(ctx.db, {
    stateHash: hashToken(visit.state),
    verifierHash: hashToken(visit.verifier),
    nonce: visit.nonce,
    sessionId: sessionId ?? null,
    proves,
    invitationHash: invitation === undefined ? null : hashToken(invitation),
    returnTo,
  });
  return { url, verifier: visit.verifier };
}

export function requireProvider({ oidc }: PeopleContext): Provider {
  if (oidc === null) throw new ApiError("oidc_not_configured");
  return oidc;
}
