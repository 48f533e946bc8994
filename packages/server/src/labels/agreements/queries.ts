import { sql } from "kysely";
import { callFunctionIn, type Db, type Tx } from "../../db/database.ts";
import type { StaffKind } from "../../db/tables/admin.ts";
import type { AccountId, LabelAgreementId, TaskId } from "../../ids.ts";

/** The SQL of agreements that free an account from the visible label, and of the outputs that were freed. */

/** As in `forget_freed_outputs`: the longest six months. */
export const freedOutputDays = 184;
const forgottenRowsMax = 500;

export type AgreementRow = Awaited<ReturnType<typeof listAgreements>>[number];
export type FreedOutputRow = Awaited<ReturnType<typeof listFreedOutputs>>[number];

/** Returns the live agreement of an account, or of the one whose test account it is. */
export async function findLabelAgreement(
  db: Db,
  accountId: AccountId,
): Promise<{ agreementId: LabelAgreementId } | null> {
  const found = await db
    .selectFrom("accounts as a")
    .innerJoin("label_agreements as g", (join) =>
      join.on("g.account_id", "=", sql<AccountId>`coalesce(a.test_of, a.id)`),
    )
    .select("g.id as agreementId")
    .where("a.id", "=", accountId)
    .where("g.ended_at", "is", null)
    .executeTakeFirst();
  return found ?? null;
}

/** Whether an agreement of an account, or of the one whose test account it is, has ended since then. */
export async function hasAgreementEndedSince(
  db: Db,
  accountId: AccountId,
  since: Date,
): Promise<boolean> {
  const ended = await db
    .selectFrom("accounts as a")
    .innerJoin("label_agreements as g", (join) =>
      join.on("g.account_id", "=", sql<AccountId>`coalesce(a.test_of, a.id)`),
    )
    .select("g.id")
    .where("a.id", "=", accountId)
    .where("g.ended_at", ">=", since)
    .executeTakeFirst();
  return ended !== undefined;
}

export async function insertAgreement(
  tx: Tx,
  agreement: {
    id: LabelAgreementId;
    accountId: AccountId;
    agreedBy: string;
    agreedAt: Date;
    text: string;
    recordedKind: StaffKind;
    recordedBy: string;
  },
): Promise<void> {
  await tx
    .insertInto("label_agreements")
    .values({
      id: agreement.id,
      account_id: agreement.accountId,
      agreed_by: agreement.agreedBy,
      agreed_at: agreement.agreedAt,
      text: agreement.text,
      recorded_kind: agreement.recordedKind,
      recorded_by: agreement.recordedBy,
    })
    .execute();
}

function selectAgreements(db: Db) {
  return db
    .selectFrom("label_agreements")
    .select([
      "id",
      "account_id as accountId",
      "agreed_by as agreedBy",
      "agreed_at as agreedAt",
      "text",
      sql<string>`encode(sha256(convert_to(text, 'UTF8')), 'hex')`.as("sha256"),
      "recorded_kind as recordedKind",
      "recorded_by as recordedBy",
      "created_at as createdAt",
      "ended_at as endedAt",
      "ended_kind as endedKind",
      "ended_by as endedBy",
      "end_reason as endReason",
    ]);
}

/** Newest first. */
export async function listAgreements(
  db: Db,
  accountId: AccountId,
  { before, rowsMax }: { before: LabelAgreementId | null; rowsMax: number },
) {
  const rows = selectAgreements(db)
    .where("account_id", "=", accountId)
    .orderBy("id", "desc")
    .limit(rowsMax);
  return (before === null ? rows : rows.where("id", "<", before)).execute();
}

export async function findAgreement(db: Db, accountId: AccountId, id: LabelAgreementId) {
  return selectAgreements(db)
    .where("account_id", "=", accountId)
    .where("id", "=", id)
    .executeTakeFirst();
}

/** Ends the live agreements of an account: one, or this one. Returns how many it ended. */
export async function endAgreements(
  db: Db,
  accountId: AccountId,
  end: { id?: LabelAgreementId; kind: StaffKind; by: string; reason: string },
): Promise<number> {
  const live = db
    .updateTable("label_agreements")
    .set({
      ended_at: sql<Date>`now()`,
      ended_kind: end.kind,
      ended_by: end.by,
      end_reason: end.reason,
    })
    .where("account_id", "=", accountId)
    .where("ended_at", "is", null);
  const ended = await (end.id === undefined
    ? live
    : live.where("id", "=", end.id)
  ).executeTakeFirst();
  return Number(ended.numUpdatedRows);
}

/** A place in the list of freed outputs. */
export interface FreedOutputKey {
  taskId: TaskId;
  number: number;
}

/** Returns the freed outputs of an account, the newest tasks first. */
export async function listFreedOutputs(
  db: Db,
  accountId: AccountId,
  { before, rowsMax }: { before: FreedOutputKey | null; rowsMax: number },
) {
  const rows = db
    .selectFrom("freed_outputs as f")
    .select([
      "f.task_id as taskId",
      "f.number",
      "f.account_id as accountId",
      "f.agreement_id as agreementId",
      sql<string>`encode(f.sha256, 'hex')`.as("sha256"),
      "f.delivered_at as deliveredAt",
    ])
    .where("f.account_id", "=", accountId)
    .orderBy("f.task_id", "desc")
    .orderBy("f.number", "desc")
    .limit(rowsMax);
  if (before === null) return rows.execute();
  return rows
    .where(
      sql<boolean>`(f.task_id, f.number) < (${before.taskId}::uuid, ${before.number}::smallint)`,
    )
    .execute();
}

/** Returns how many freed outputs of accounts are kept, and until when the last of them. */
export async function countFreedOutputs(
  db: Db,
  accountIds: readonly AccountId[],
): Promise<{ outputs: number; until: Date | null }> {
  return db
    .selectFrom("freed_outputs")
    .select((row) => [
      row.fn.countAll<number>().as("outputs"),
      sql<Date | null>`max(delivered_at) + ${freedOutputDays} * interval '1 day'`.as("until"),
    ])
    .where("account_id", "in", [...accountIds])
    .executeTakeFirstOrThrow();
}

/** Deletes freed outputs whose period is over, in small steps, until none is left or it is stopped. */
export async function forgetFreedOutputs(db: Db, until?: AbortSignal): Promise<number> {
  let forgotten = 0;
  for (;;) {
    const { rows_deleted: rows } = await callFunctionIn(db, "forget_freed_outputs", {
      rows_max: forgottenRowsMax,
    });
    forgotten += rows;
    if (rows < forgottenRowsMax || until?.aborted) return forgotten;
  }
}
