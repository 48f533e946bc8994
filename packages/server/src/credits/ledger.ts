import { sql } from "kysely";
import type { Db, Tx } from "../db/database.ts";
import type { Book, TransferKind } from "../db/schema.ts";
import { ApiError } from "../errors.ts";
import { newId, shardOf } from "../ids.ts";

/**
 * The ledger. A transfer moves an amount from one book to another; `accounts.credits` and
 * `accounts.held` are cached sums of an account's books and change in the same statement's transaction.
 *
 *   grant    issued    -> available
 *   hold     available -> held
 *   capture  held      -> revenue
 *   release  held      -> available
 *
 * System sides (issued, revenue) are entries only: no row that every transaction would update.
 */
const moves = {
  grant: { from: "issued", to: "available", credits: 1, held: 0 },
  hold: { from: "available", to: "held", credits: 0, held: 1 },
  capture: { from: "held", to: "revenue", credits: -1, held: -1 },
  release: { from: "held", to: "available", credits: 0, held: -1 },
} as const satisfies Record<
  TransferKind,
  { from: Book; to: Book; credits: -1 | 0 | 1; held: -1 | 0 | 1 }
>;

interface Posting {
  causeId: string;
  kind: TransferKind;
  accountId: string;
  amount: number;
  note?: string;
}

/** Gives credits to an account. */
export async function grantCredits(
  tx: Tx,
  grant: { accountId: string; credits: number; note: string },
): Promise<void> {
  await post(tx, {
    causeId: newId(shardOf(grant.accountId)),
    kind: "grant",
    accountId: grant.accountId,
    amount: grant.credits,
    note: grant.note,
  });
}

/** Sets credits aside for a task. The caller holds the account's row lock. */
export async function hold(
  tx: Tx,
  task: { accountId: string; taskId: string; credits: number },
): Promise<void> {
  const balance = await readBalance(tx, task.accountId);
  if (balance.availableCredits < task.credits)
    throw new ApiError("insufficient_credits", {
      message: `This task costs ${task.credits} credits and ${balance.availableCredits} are available.`,
    });
  await settle(tx, "hold", task);
}

/** Turns a task's hold into a charge. */
export async function capture(
  tx: Tx,
  task: { accountId: string; taskId: string; credits: number },
): Promise<void> {
  await settle(tx, "capture", task);
}

/** Gives a task's hold back. */
export async function release(
  tx: Tx,
  task: { accountId: string; taskId: string; credits: number },
): Promise<void> {
  await settle(tx, "release", task);
}

export async function readBalance(
  db: Db,
  accountId: string,
): Promise<{ credits: number; availableCredits: number }> {
  const row = await db
    .selectFrom("accounts")
    .select(["credits", "held"])
    .where("id", "=", accountId)
    .executeTakeFirstOrThrow();
  return { credits: row.credits, availableCredits: row.credits - row.held };
}

function settle(
  tx: Tx,
  kind: "hold" | "capture" | "release",
  task: { accountId: string; taskId: string; credits: number },
): Promise<void> {
  return post(tx, { causeId: task.taskId, kind, accountId: task.accountId, amount: task.credits });
}

async function post(tx: Tx, posting: Posting): Promise<void> {
  const { causeId, kind, accountId, amount } = posting;
  const move = moves[kind];
  await tx
    .insertInto("transfers")
    .values({
      cause_id: causeId,
      kind,
      id: newId(shardOf(accountId)),
      account_id: accountId,
      amount,
      note: posting.note ?? null,
    })
    .execute();
  const entry = { cause_id: causeId, kind, account_id: accountId };
  await tx
    .insertInto("entries")
    .values([
      { ...entry, book: move.from, amount: -amount },
      { ...entry, book: move.to, amount },
    ])
    .execute();
  await tx
    .updateTable("accounts")
    .set({
      credits: sql`credits + ${amount * move.credits}::bigint`,
      held: sql`held + ${amount * move.held}::bigint`,
    })
    .where("id", "=", accountId)
    .execute();
}
