import { LivesElsewhere } from "../accounts/lives-elsewhere.ts";
import type { Caller } from "../accounts/queries.ts";
import type { Context } from "../context.ts";
import { ApiError } from "../errors.ts";
import { type AccountId, parseId } from "../ids.ts";
import {
  findMemberships,
  findOwnAccount,
  type Membership,
  type OwnAccount,
  type Session,
} from "../people/session-queries.ts";

/**
 * The account that a person acts in: the one named by the header, or the only one. Throws
 * `LivesElsewhere` if that is an account of another shard.
 */
export async function findMember(
  ctx: Context,
  session: Session,
  header: string | string[] | undefined,
): Promise<Caller & Required<Pick<Caller, "session">>> {
  const named = header === undefined ? null : parseId<AccountId>(String(header));
  if (named === undefined) throw new ApiError("not_a_member");
  const [membership, another] = await findMemberships(ctx.directory.pool, session.personId, named);
  if (named === null && (membership === undefined || another !== undefined))
    throw new ApiError("account_required");
  if (membership === undefined) throw new ApiError("not_a_member");
  const { id, role } = membership;
  const { priceBook, discount, isSuspended, isTest, isTestModeOff } = await readOwn(
    ctx,
    membership,
  );
  return {
    id,
    priceBook,
    discount: discount ?? null,
    isSuspended,
    isTest,
    isTestModeOff,
    keyId: null,
    session: { id: session.id, personId: session.personId, role },
    models: null,
    requestsPerMinuteMax: null,
    scopes: null,
  };
}

/** A forwarding row knows neither prices nor suspension: they are read where the account lives. */
async function readOwn(ctx: Context, membership: Membership): Promise<OwnAccount> {
  const { shard } = ctx.config.database;
  const own = shard === 0 ? membership : await findOwnAccount(ctx.pool, membership.id);
  // Its own row decides: while an account moves, the forwarding row in the directory may be a moment behind.
  if (own !== undefined && own.movedTo === null) return own;
  const elsewhere = own?.movedTo ?? membership.movedTo ?? 0;
  if (elsewhere === shard) throw new ApiError("not_a_member"); // it is closed, or was never made
  throw new LivesElsewhere(elsewhere);
}
