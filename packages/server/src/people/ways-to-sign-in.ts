import { sql } from "kysely";
import type { DirectoryDb, DirectoryTx } from "../db/database.ts";
import { onlyRow } from "../db/only-row.ts";
import { ApiError } from "../errors.ts";
import type { PersonId } from "../ids.ts";
import { sessionSecondsMax } from "./session-queries.ts";

/** Refuses a removal that leaves a person without a way to sign in. Call it after the removal. */
export async function requireAnotherWay(tx: DirectoryTx, personId: PersonId): Promise<void> {
  // Locked, so that of two removals at once the second sees the first.
  await sql`select id from people where id = ${personId} for update`.execute(tx);
  const { rows } = await sql<{ hasOne: boolean }>`
    select exists (select from people where id = ${personId} and password_hash is not null)
        or exists (select from passkeys where person_id = ${personId})
        or exists (select from oidc_identities where person_id = ${personId}) as "hasOne"`.execute(
    tx,
  );
  if (!onlyRow(rows).hasOne) throw new ApiError("last_factor");
}

/** A way to sign in beside the password, or an authenticator app. */
export interface Way {
  kind: "passkey" | "company" | "authenticator";
  id: string;
  name: string;
  createdAt: Date;
}

export async function listWays(db: DirectoryDb, personId: PersonId): Promise<Way[]> {
  const { rows } = await sql<Way>`
    select 'passkey' as kind, id, name, created_at as "createdAt" from passkeys where person_id = ${personId}
    union all
    select 'company', id, coalesce(email, issuer), created_at from oidc_identities where person_id = ${personId}
    union all
    select 'authenticator', person_id, '', confirmed_at from totp_factors
    where person_id = ${personId} and confirmed_at is not null
    order by "createdAt", id`.execute(db);
  return rows;
}

/**
 * Deletes passkeys and company sign-ins: all of them, or those that are no older than a session can be. The
 * age of existing sessions is not used: an intruder may have ended them. The authenticator app stays:
 * somebody who can read the person's mail must not be able to turn it off.
 */
export async function deleteWays(
  tx: DirectoryTx,
  personId: PersonId,
  which: "all" | "recent",
): Promise<Way[]> {
  const isChosen =
    which === "all"
      ? sql`true`
      : sql`created_at > now() - ${sessionSecondsMax} * interval '1 second'`;
  const { rows } = await sql<Way>`
    with p as (
      delete from passkeys where person_id = ${personId} and ${isChosen}
      returning 'passkey' as kind, id, name, created_at),
    o as (
      delete from oidc_identities where person_id = ${personId} and ${isChosen}
      returning 'company' as kind, id, coalesce(email, issuer) as name, created_at)
    select kind, id, name, created_at as "createdAt" from p
    union all select kind, id, name, created_at from o
    order by "createdAt", id`.execute(tx);
  return rows;
}
