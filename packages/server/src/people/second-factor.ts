import { sql } from "kysely";
import type { DirectoryDb } from "../db/database.ts";
import { onlyRow } from "../db/only-row.ts";
import { ApiError } from "../errors.ts";
import type { PersonId } from "../ids.ts";
import type { Config } from "../settings/config.ts";
import type { Session } from "./session-queries.ts";
import { hasTotp } from "./totp/queries.ts";

/** Whether a password, or the word of a company's provider, is not enough for this person. */
export function needsSecondFactor(db: DirectoryDb, personId: PersonId): Promise<boolean> {
  return hasTotp(db, personId);
}

/** Whether the staff's endpoints refuse sessions without a second factor. */
export function staffNeedsFactor({ admin, isProduction }: Config): boolean {
  const { staffSecondFactor } = admin;
  return staffSecondFactor === "always" || (staffSecondFactor === "production" && isProduction);
}

/** The time after a password was set by a link in which its person may set up the first factor. */
const firstFactorMinutesMax = 60;

type StaffSession = Pick<Session, "personId" | "staffRole" | "hasFactor">;
interface SecondFactorContext {
  db: DirectoryDb;
  config: Config;
}

/** Refuses what would let a password alone become a second factor of somebody of the staff. */
export function requireFactor({ config }: SecondFactorContext, session: StaffSession): void {
  if (lacksFactor(config, session)) throw new ApiError("second_factor_required");
}

function lacksFactor(config: Config, { staffRole, hasFactor }: StaffSession): boolean {
  return staffRole !== null && !hasFactor && staffNeedsFactor(config);
}

/**
 * Refuses a new factor of somebody of the staff unless another factor vouches for it, or for the first one
 * a link that has just set the password: a password that was guessed must not enrol its own factor.
 */
export async function requireMayEnrol(
  ctx: SecondFactorContext,
  session: StaffSession,
): Promise<void> {
  if (!lacksFactor(ctx.config, session)) return;
  const { rows } = await sql<{ hasOne: boolean; isLinked: boolean }>`
    select exists (select from passkeys k where k.person_id = p.id)
        or exists (select from totp_factors t where t.person_id = p.id and t.confirmed_at is not null) as "hasOne",
      p.password_hash is null
        or coalesce(p.password_linked_at > now() - ${firstFactorMinutesMax} * interval '1 minute', false) as "isLinked"
    from people p where p.id = ${session.personId}`.execute(ctx.db);
  const { hasOne, isLinked } = onlyRow(rows);
  if (hasOne) throw new ApiError("second_factor_required");
  if (!isLinked) throw new ApiError("factor_link_required");
}
