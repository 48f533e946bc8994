import { type AccountId, shardOf } from "../../ids.ts";
import { readAccounts, run, type Side } from "./sides.ts";

/**
 * The shard in which an account lives. `decidedFor`: a move to that shard was decided and has not been
 * finished.
 */
export interface Living {
  side: Side;
  decidedFor: number | null;
}

/** Follows the forwarding rows from the shard that the id names; every shard is asked at most once. */
export async function findLiving(
  sides: readonly Side[],
  accountId: AccountId,
): Promise<Living | undefined> {
  const seen = new Set<Side>();
  let next = sides[shardOf(accountId)] ?? sides[0];
  while (next !== undefined && !seen.has(next)) {
    const [account] = await readAccounts(next.db, accountId);
    if (account === undefined) return undefined;
    if (account.movedTo === null) return { side: next, decidedFor: null };
    seen.add(next);
    next = sides[account.movedTo];
  }
  return findUndone(sides, [...seen], accountId);
}

/** Forwarding rows that lead to each other: the source has let go, and the target has not taken over. */
async function findUndone(
  sides: readonly Side[],
  seen: readonly Side[],
  accountId: AccountId,
): Promise<Living | undefined> {
  for (const { db, shard } of seen) {
    const { rows } = await run<{ from: number }>(
      db,
      "select from_shard as from from arrivals where account_id = $1",
      [accountId],
    );
    const side = rows[0] && sides[rows[0].from];
    const [account] = side === undefined ? [] : await readAccounts(side.db, accountId);
    if (side !== undefined && account?.movedTo === shard) return { side, decidedFor: shard };
  }
  return undefined;
}
