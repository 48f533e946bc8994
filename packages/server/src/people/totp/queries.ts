import { sql } from "kysely";
import type { DirectoryDb, DirectoryTx } from "../../db/database.ts";
import { inMs } from "../../db/in-ms.ts";
import { changedRows } from "../../db/only-row.ts";
import type { PersonId } from "../../ids.ts";

/** The SQL of authenticator apps and recovery codes. */

export interface TotpRow {
  secret: string;
  isConfirmed: boolean;
  lastStep: number;
  failures: number;
  /** 0: it is not locked. */
  lockedMs: number;
}

/** Locked until the transaction ends: of several codes at once each sees what the one before did. */
export async function lockTotp(tx: DirectoryTx, personId: PersonId): Promise<TotpRow | undefined> {
  return tx
    .selectFrom("totp_factors")
    .select(({ ref }) => [
      "secret",
      sql<boolean>`${ref("confirmed_at")} is not null`.as("isConfirmed"),
      "last_step as lastStep",
      "failures",
      sql<number>`greatest(coalesce(extract(epoch from ${ref("locked_until")} - now()) * 1000, 0), 0)::float8`.as(
        "lockedMs",
      ),
    ])
    .where("person_id", "=", personId)
    .forUpdate()
    .executeTakeFirst();
}

/** Whether sign-in asks this person for a code. */
export async function hasTotp(db: DirectoryDb, personId: PersonId): Promise<boolean> {
  const row = await db
    .selectFrom("totp_factors")
    .select("person_id")
    .where("person_id", "=", personId)
    .where("confirmed_at", "is not", null)
    .executeTakeFirst();
  return row !== undefined;
}

/** False: an authenticator app is confirmed already, and stays. */
export async function putUnconfirmed(
  tx: DirectoryTx,
  personId: PersonId,
  secret: string,
): Promise<boolean> {
  const put = await tx
    .insertInto("totp_factors")
    .values({ person_id: personId, secret })
    .onConflict((conflict) =>
      conflict
        .column("person_id")
        .doUpdateSet({ secret, last_step: 0, failures: 0, locked_until: null })
        .where("totp_factors.confirmed_at", "is", null),
    )
    .executeTakeFirstOrThrow();
  return put.numInsertedOrUpdatedRows === 1n;
}

export async function confirm(tx: DirectoryTx, personId: PersonId): Promise<void> {
  await tx
    .updateTable("totp_factors")
    .set({ confirmed_at: sql`now()` })
    .where("person_id", "=", personId)
    .execute();
}

export async function noteSuccess(
  tx: DirectoryTx,
  personId: PersonId,
  lastStep: number,
): Promise<void> {
  await tx
    .updateTable("totp_factors")
    .set({ last_step: lastStep, failures: 0, locked_until: null })
    .where("person_id", "=", personId)
    .execute();
}

export async function noteFailure(
  tx: DirectoryTx,
  personId: PersonId,
  { failures, lockMs }: { failures: number; lockMs: number },
): Promise<void> {
  await tx
    .updateTable("totp_factors")
    .set({ failures, locked_until: lockMs > 0 ? inMs(lockMs) : null })
    .where("person_id", "=", personId)
    .execute();
}

/** Deletes the authenticator app with its recovery codes. */
export async function deleteTotp(tx: DirectoryTx, personId: PersonId): Promise<boolean> {
  const gone = await tx
    .deleteFrom("totp_factors")
    .where("person_id", "=", personId)
    .executeTakeFirstOrThrow();
  return gone.numDeletedRows > 0n;
}

export async function replaceRecoveryCodes(
  tx: DirectoryTx,
  personId: PersonId,
  hashes: readonly Buffer[],
): Promise<void> {
  await tx.deleteFrom("recovery_codes").where("person_id", "=", personId).execute();
  await tx
    .insertInto("recovery_codes")
    .values(hashes.map((hash) => ({ person_id: personId, hash })))
    .execute();
}

/** False: there is no such code, or it was used before. */
export async function spendRecoveryCode(
  tx: DirectoryTx,
  personId: PersonId,
  hash: Buffer,
): Promise<boolean> {
  const spent = await sql`
    update recovery_codes set used_at = now()
    where person_id = ${personId} and hash = ${hash} and used_at is null`.execute(tx);
  return changedRows(spent) === 1;
}

/** Returns the number of recovery codes, of which there are at most ten. */
export async function countRecoveryCodes(db: DirectoryDb, personId: PersonId): Promise<number> {
  const rows = await db
    .selectFrom("recovery_codes")
    .select("hash")
    .where("person_id", "=", personId)
    .where("used_at", "is", null)
    .execute();
  return rows.length;
}
