import { sql } from "kysely";
import type { Db, Tx } from "../../db/database.ts";
import type { LedgerCheckId } from "../../ids.ts";
import type { Breach } from "../../ledger-checks/verify-ledger.ts";

/** The SQL of checks of the ledger. */

/** A check that takes longer was of a worker that died. */
export const checkHoursMax = 2;

/** Whether none is waiting or running. Nobody else asks until the transaction ends. */
export async function lockChecks(tx: Tx): Promise<boolean> {
  await sql`select pg_advisory_xact_lock(hashtextextended('ledger checks', 0))`.execute(tx);
  const { rows } = await sql`
    select from ledger_checks where finished_at is null
      and id >= id_floor(now() - ${checkHoursMax} * interval '1 hour') limit 1`.execute(tx);
  return rows.length === 0;
}

export async function insertCheck(tx: Tx, id: LedgerCheckId): Promise<void> {
  await tx.insertInto("ledger_checks").values({ id }).execute();
}

/** The check that waits, if there is one and no other worker takes it. */
export async function takeCheck(db: Db): Promise<LedgerCheckId | null> {
  const { rows } = await sql<{ id: LedgerCheckId }>`
    update ledger_checks set started_at = now() where id = (
      select id from ledger_checks where finished_at is null and started_at is null
        and id >= id_floor(now() - ${checkHoursMax} * interval '1 hour')
      order by id limit 1 for update skip locked)
    returning id`.execute(db);
  return rows[0]?.id ?? null;
}

export async function recordCheck(
  db: Db,
  id: LedgerCheckId,
  result:
    | { checked: { transfers: number; tasks: number }; breaches: Breach[] }
    | { failure: string },
): Promise<void> {
  const set =
    "failure" in result
      ? { failure: result.failure }
      : { ...result.checked, breaches: JSON.stringify(result.breaches) };
  await db
    .updateTable("ledger_checks")
    .set({ ...set, finished_at: sql<Date>`now()` })
    .where("id", "=", id)
    .where("finished_at", "is", null)
    .execute();
}

export async function findNewestChecks(db: Db, rowsMax: number) {
  return db
    .selectFrom("ledger_checks")
    .select([
      "id",
      "created_at as createdAt",
      "started_at as startedAt",
      "finished_at as finishedAt",
      "transfers",
      "tasks",
      "breaches",
      "failure",
    ])
    .orderBy("id", "desc")
    .limit(rowsMax)
    .execute();
}
