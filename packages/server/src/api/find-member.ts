import type { Caller } from "../accounts/queries.ts";
import type { Context } from "../context.ts";
import { ApiError } from "../errors.ts";
import { type AccountId, parseId } from "../ids.ts";
import { findMemberships, type Session } from "../people/session-queries.ts";

/** The account that a person acts in: the one named by the header, or the only one. */
export async function findMember(
  ctx: Context,
  session: Session,
  header: string | string[] | undefined,
): Promise<Caller & Required<Pick<Caller, "session">>> {
  const named = header === undefined ? null : parseId<AccountId>(String(header));
  if (named === undefined) throw new ApiError("not_a_member");
  const [membership, another] = await findMemberships(ctx.pool, session.personId, named);
  if (named === null && (membership === undefined || another !== undefined))
    throw new ApiError("account_required");
  if (membership === undefined) throw new ApiError("not_a_member");
  const { id, role, priceSchedule, isSuspended } = membership;
  return {
    ...{ id, priceSchedule, isSuspended, keyId: null },
    session: { id: session.id, personId: session.personId, role },
    ...{ models: null, requestsPerMinuteMax: null, scopes: null },
  };
}
