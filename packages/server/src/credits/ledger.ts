import { sql } from "kysely";

import type { Connections } from "../db/connections.ts";
import { callFunction, callFunctionIn, type Db, type Tx } from "../db/database.ts";
import { changedRows } from "../db/only-row.ts";
import type { TransferKind } from "../db/tables/credits.ts";
import { type AccountId, newId, shardOf, type TaskId, type TransferId } from "../ids.ts";

/**
 * The ledger. A transfer moves an amount from one book to another; `accounts.credits` and
 * `accounts.held` are cached sums of an account's books. All of it is posted by one function of the
 * database, `post_transfer`, which is also what accepting and finishing a task call:
 *
 *   grant    issued    -> available      adjust   issued    -> available, or back
 *   hold     available -> held           raise    available -> held, or back
 *   capture  held      -> revenue        release  held      -> available
 *   expiry   available -> issued
 *
 * What raises the credits makes a lot, what lowers them takes them out of lots: see README.md.
 * System sides (issued, revenue) are entries only: no row that every transaction would update.
 */
interface Correction {
  accountId: AccountId;
  credits: number;
  note: string;
  /** The time from which on what is left of a grant expires. */
  expiresAt?: Date | null | undefined;
}

/** Grants credits to an account. */
export async function grantCredits(pool: Connections, grant: Correction): Promise<void> {
  await post(pool, "grant", grant);
}

/** Grants them as a part of a transaction. */
export async function grantCreditsIn(tx: Tx, grant: Correction): Promise<void> {
  await callFunctionIn(tx, "post_transfer", transferOf("grant", grant));
}

/** Adjusts a balance for an operator, up or down; never below what is held. */
export async function adjustCredits(pool: Connections, adjustment: Correction): Promise<void> {
  await post(pool, "adjust", adjustment);
}

/** Posts what an operator decided, in the transaction of the decision; once, by its id. */
export async function postCorrection(
  tx: Tx,
  correction: Correction & { id: TransferId; kind: "grant" | "adjust" },
): Promise<void> {
  await callFunctionIn(tx, "post_transfer", transferOf(correction.kind, correction));
}

/** Empties the notes of an account's transfers, as the owner of the schema; all else of the ledger stays. */
export async function eraseNotes(db: Db, accountId: AccountId): Promise<number> {
  const erased = await sql`update transfers set note = null
    where account_id = ${accountId} and note is not null`.execute(db);
  return changedRows(erased);
}

/** An open task with its real price, and what is priced. */
interface Repriced {
  taskId: TaskId;
  credits: number;
  lines: readonly object[];
}

/** Raises the hold of an open task to its real price, once. False: not affordable, or the task has ended. */
export async function raiseHold(db: Db, task: Repriced): Promise<boolean> {
  const { taskId, credits, lines } = task;
  const raised = await callFunctionIn(db, "raise_hold", {
    task_id: taskId,
    transfer_id: newId(shardOf(taskId)),
    credits,
    lines: JSON.stringify(lines),
  });
  return raised.is_raised;
}

/** Lowers the hold of an open task to its real price. Not for a task whose hold was raised. */
export async function lowerHold(pool: Connections, task: Repriced): Promise<void> {
  const { taskId, credits, lines } = task;
  await callFunction(pool, "lower_hold", {
    task_id: taskId,
    transfer_id: newId(shardOf(taskId)),
    credits,
    lines: JSON.stringify(lines),
  });
}

/** The id of a task's hold, which is the `orderId` of an upscale. */
export async function findHold(db: Db, taskId: TaskId): Promise<TransferId> {
  const row = await db
    .selectFrom("transfers")
    .select("id")
    .where("cause_id", "=", taskId)
    .where("kind", "=", "hold")
    .executeTakeFirstOrThrow();
  return row.id;
}

export async function readBalance(
  db: Db,
  accountId: AccountId,
): Promise<{ credits: number; availableCredits: number }> {
  const row = await db
    .selectFrom("accounts")
    .select(["credits", "held"])
    .where("id", "=", accountId)
    .executeTakeFirstOrThrow();
  return { credits: row.credits, availableCredits: row.credits - row.held };
}

async function post(
  pool: Connections,
  kind: "grant" | "adjust",
  correction: Correction,
): Promise<void> {
  await callFunction(pool, "post_transfer", transferOf(kind, correction));
}

/** A transfer that no task causes is its own cause. */
function transferOf(
  kind: TransferKind & ("grant" | "adjust"),
  correction: Correction & { id?: TransferId },
) {
  const { accountId, credits, note, expiresAt = null } = correction;
  const { id = newId<TransferId>(shardOf(accountId)) } = correction;
  return {
    cause_id: id,
    kind,
    transfer_id: id,
    account_id: accountId,
    amount: credits,
    note,
    expires_at: expiresAt,
  };
}

/** The transfers of an account, newest first, before the given number. */
export async function listTransfers(
  db: Db,
  accountId: AccountId,
  { before, rowsMax }: { before: number | null; rowsMax: number },
) {
  const transfers = db
    .selectFrom("transfers")
    .select([
      "number",
      "kind",
      "cause_id as causeId",
      "amount",
      "credits_after as creditsAfter",
      "held_after as heldAfter",
      "note",
      "created_at as createdAt",
    ])
    .where("account_id", "=", accountId)
    .orderBy("number", "desc")
    .limit(rowsMax);
  return (before === null ? transfers : transfers.where("number", "<", before)).execute();
}
