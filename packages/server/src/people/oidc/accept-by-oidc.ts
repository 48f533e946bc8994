import { recordAudit } from "../../audit/record-audit.ts";
import type { DirectoryTx } from "../../db/database.ts";
import { ApiError } from "../../errors.ts";
import { type IdentityId, newId, type PersonId } from "../../ids.ts";
import { takeLinkByHash } from "../links.ts";
import { giveRole } from "../members/accept-invitation.ts";
import { findPersonByEmail, insertPerson } from "../queries.ts";
import { personActor, type RequestFacts } from "../request-facts.ts";
import type { Claims } from "./openid-provider.ts";
import type { Provider } from "./provider.ts";
import { putIdentity } from "./queries.ts";

const nameLengthMax = 100;

interface Newcomer {
  claims: Claims;
  provider: Provider;
  facts: RequestFacts;
}

/**
 * Makes a person of an identity that nobody has: by an invitation whose link was opened, to the address
 * that the provider has verified. A person who is here already signs in and links the identity instead.
 */
export async function acceptByOidc(
  tx: DirectoryTx,
  invitationHash: Buffer | null,
  { claims, provider, facts }: Newcomer,
): Promise<PersonId> {
  const invitation =
    invitationHash === null
      ? undefined
      : await takeLinkByHash(tx, invitationHash, ["member", "staff"]);
  if (invitation === undefined) throw new ApiError("oidc_not_invited");
  const { email } = invitation;
  if (!isVouchedFor(email, claims, provider)) throw new ApiError("oidc_email_refused");
  if ((await findPersonByEmail(tx, email)) !== undefined) throw new ApiError("oidc_not_invited");
  const personId = newId<PersonId>(0);
  const [beforeAt = email] = email.split("@");
  const name = (claims.name ?? beforeAt).slice(0, nameLengthMax);
  await insertPerson(tx, { id: personId, email, name, language: "en", passwordHash: null });
  const { issuer, subject } = claims;
  await putIdentity(tx, { id: newId<IdentityId>(0), personId, issuer, subject, email });
  await giveRole(tx, personId, invitation);
  await recordAudit(tx, personActor(personId, facts), {
    accountId: invitation.kind === "staff" ? null : invitation.accountId,
    action: "invitation.accept",
    object: personId,
    after: { email, role: invitation.role, by: "oidc" },
  });
  return personId;
}

function isVouchedFor(email: string, { verifiedEmail }: Claims, { emailDomains }: Provider) {
  const address = email.toLowerCase();
  if (verifiedEmail?.toLowerCase() !== address) return false;
  const domain = address.slice(address.lastIndexOf("@") + 1);
  return emailDomains === null || emailDomains.includes(domain);
}
