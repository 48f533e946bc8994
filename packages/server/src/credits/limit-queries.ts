import { sql } from "kysely";
import { callFunctionIn, type Db, type Tx } from "../db/database.ts";
import type { StaffKind } from "../db/tables/admin.ts";
import type { AccountId, GrantLimitId } from "../ids.ts";

/** The SQL of the limit above which grants need a second person. */

export interface AskedBy {
  kind: StaffKind;
  name: string;
}

export async function needsSecondPerson(
  tx: Tx,
  grant: { accountId: AccountId; credits: number; by: AskedBy },
): Promise<boolean> {
  const { accountId, credits, by } = grant;
  const { needs_second_person: isNeeded } = await callFunctionIn(tx, "needs_second_person", {
    account_id: accountId,
    asked_kind: by.kind,
    asked_by: by.name,
    credits,
  });
  return isNeeded;
}

/** The limit that counts; undefined: none was ever set. */
export async function findLimit(db: Db): Promise<{ credits: number | null } | undefined> {
  return db
    .selectFrom("grant_limits")
    .select("credits")
    .where("status", "=", "set")
    .orderBy("set_at", "desc")
    .limit(1)
    .executeTakeFirst();
}

export async function findPendingLimit(db: Db) {
  return db
    .selectFrom("grant_limits")
    .select([
      "id",
      "credits",
      "asked_kind as askedKind",
      "asked_by as askedBy",
      "created_at as createdAt",
    ])
    .where("status", "=", "pending")
    .executeTakeFirst();
}

/** Changes of the limit wait for each other. */
export async function lockLimit(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('grant limit', 0))`.execute(tx);
}

export async function insertLimit(
  tx: Tx,
  limit: { id: GrantLimitId; credits: number | null; status: "pending" | "set"; by: AskedBy },
): Promise<void> {
  const { id, credits, status, by } = limit;
  await tx
    .insertInto("grant_limits")
    .values({
      id,
      credits,
      status,
      asked_kind: by.kind,
      asked_by: by.name,
      set_at: status === "set" ? sql<Date>`clock_timestamp()` : null,
    })
    .execute();
}

export async function decideLimitRow(
  tx: Tx,
  id: GrantLimitId,
  { isApproved, by }: { isApproved: boolean; by: AskedBy },
): Promise<void> {
  await tx
    .updateTable("grant_limits")
    .set({
      status: isApproved ? "set" : "rejected",
      decided_kind: by.kind,
      decided_by: by.name,
      set_at: isApproved ? sql<Date>`clock_timestamp()` : null,
    })
    .where("id", "=", id)
    .where("status", "=", "pending")
    .execute();
}
