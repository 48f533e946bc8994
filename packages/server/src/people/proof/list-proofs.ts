import type { PeopleContext } from "../context.ts";
import { listIdentities } from "../oidc/queries.ts";
import { listPasskeys } from "../passkeys/queries.ts";
import { findPerson } from "../queries.ts";
import { needsSecondFactor } from "../second-factor.ts";
import type { Session } from "../session-queries.ts";
import type { ProofWay } from "./schema.ts";

/**
 * Returns the ways in which the person of a session can prove who they are: the same as a sign-in requires.
 * With an authenticator app, a password or a company's provider alone is not enough.
 */
export async function listProofs(
  ctx: PeopleContext,
  { personId }: Pick<Session, "personId">,
): Promise<ProofWay[]> {
  const hasPasskey = (await listPasskeys(ctx.db, personId, 1)).length > 0;
  const passkey: ProofWay[] = hasPasskey ? ["passkey"] : [];
  if (await needsSecondFactor(ctx.db, personId)) return ["code", ...passkey];
  const person = await findPerson(ctx.db, personId);
  const hasIdentity = ctx.oidc !== null && (await listIdentities(ctx.db, personId)).length > 0;
  return [
    ...((person?.passwordHash ?? null) === null ? [] : (["password"] as const)),
    ...passkey,
    ...(hasIdentity ? (["oidc"] as const) : []),
  ];
}
