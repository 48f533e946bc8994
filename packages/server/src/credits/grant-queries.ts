import { type SqlBool, sql } from "kysely";
import type { Db, Tx } from "../db/database.ts";
import type { StaffKind } from "../db/tables/admin.ts";
import type { AccountId, TransferId } from "../ids.ts";

/** The SQL of grants and adjustments that operators ask for. */

/** The number of days for which a grant waits for its second person. */
export const grantDaysMax = 7;

export interface NewGrant {
  id: TransferId;
  accountId: AccountId;
  kind: "grant" | "adjust";
  credits: number;
  reason: string;
  status: "pending" | "posted";
  askedKind: StaffKind;
  askedBy: string;
  idempotencyKey: string | null;
  /** The time from which on what is left of the credits expires. */
  creditsExpireAt: Date | null;
}

export type GrantRow = NonNullable<Awaited<ReturnType<typeof findGrant>>>;

function selectGrants(db: Db) {
  return db.selectFrom("grants").select([
    "id",
    "account_id as accountId",
    "kind",
    "credits",
    "reason",
    sql<"pending" | "posted" | "rejected" | "expired">`case
        when status = 'pending' and expires_at <= now() then 'expired' else status end`.as(
      "status",
    ),
    "asked_kind as askedKind",
    "asked_by as askedBy",
    "created_at as createdAt",
    "expires_at as expiresAt",
    "credits_expire_at as creditsExpireAt",
    "decided_kind as decidedKind",
    "decided_by as decidedBy",
    "decided_at as decidedAt",
  ]);
}

export async function findGrant(db: Db, id: TransferId) {
  return selectGrants(db).where("id", "=", id).executeTakeFirst();
}

export async function findGrantByKey(db: Db, accountId: AccountId, idempotencyKey: string) {
  return selectGrants(db)
    .where("account_id", "=", accountId)
    .where("idempotency_key", "=", idempotencyKey)
    .executeTakeFirst();
}

export async function insertGrant(tx: Tx, grant: NewGrant): Promise<void> {
  const { id, accountId, kind, credits, reason, status, askedKind, askedBy, creditsExpireAt } =
    grant;
  const expiresAt =
    status === "pending"
      ? sql<Date>`least(now() + ${grantDaysMax} * interval '1 day', ${creditsExpireAt}::timestamptz)`
      : null;
  await tx
    .insertInto("grants")
    .values({
      id,
      account_id: accountId,
      kind,
      credits,
      reason,
      status,
      asked_kind: askedKind,
      asked_by: askedBy,
      expires_at: expiresAt,
      idempotency_key: grant.idempotencyKey,
      credits_expire_at: creditsExpireAt,
    })
    .execute();
}

/**
 * Decides a pending grant. Of several concurrent calls, one gets the row: the others find it decided. The
 * person who asked for it can withdraw it, but not approve it.
 */
export async function markDecided(
  tx: Tx,
  id: TransferId,
  decision: { status: "posted" | "rejected"; kind: StaffKind; by: string },
) {
  const { status, kind, by } = decision;
  return tx
    .updateTable("grants")
    .set({ status, decided_kind: kind, decided_by: by, decided_at: sql<Date>`now()` })
    .where("id", "=", id)
    .where("status", "=", "pending")
    .where("expires_at", ">", sql<Date>`now()`)
    .where(
      sql<SqlBool>`(${status === "rejected"} or (asked_kind, asked_by) is distinct from (${kind}::text, ${by}::text))`,
    )
    .returning([
      "account_id as accountId",
      "kind",
      "credits",
      "reason",
      "credits_expire_at as creditsExpireAt",
      "asked_kind as askedKind",
      "asked_by as askedBy",
    ])
    .executeTakeFirst();
}

/** Newest first: those of an account, those that wait, or all. */
export async function listGrants(
  db: Db,
  page: {
    accountId: AccountId | null;
    isPending: boolean;
    before: TransferId | null;
    rowsMax: number;
  },
) {
  let rows = selectGrants(db).orderBy("id", "desc").limit(page.rowsMax);
  if (page.accountId !== null) rows = rows.where("account_id", "=", page.accountId);
  if (page.isPending)
    rows = rows
      .where("status", "=", "pending")
      .where("expires_at", ">", sql<Date>`now()`)
      .where("id", ">=", sql<TransferId>`id_floor(now() - ${grantDaysMax + 1} * interval '1 day')`);
  if (page.before !== null) rows = rows.where("id", "<", page.before);
  return rows.execute();
}

/** Erases the reasons of an erased account's grants, as the owner of the schema; the amounts stay. */
export async function eraseGrantReasons(db: Db, accountId: AccountId): Promise<number> {
  const result = await db
    .updateTable("grants")
    .set({ reason: "erased", idempotency_key: null })
    .where("account_id", "=", accountId)
    .where("reason", "<>", "erased")
    .executeTakeFirst();
  return Number(result.numUpdatedRows);
}
