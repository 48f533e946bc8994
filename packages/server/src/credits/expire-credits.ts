import type { Context } from "../context.ts";
import { callFunction } from "../db/database.ts";
import { eachRow } from "../flow/each-row.ts";
import { type AccountId, newId, shardOf, type TransferId } from "../ids.ts";
import { type ExpiredLot, listExpiredLots } from "./lot-queries.ts";

export const expireCreditsLoop = "expire credits";
const lotsMax = 200;
/** Few, since each waiting for a lock holds a database connection. */
const accountsAtOnceMax = 4;
const expireMsMax = 15_000;

/**
 * Takes what is left of lots whose time is over, with one transfer per account; returns how many credits
 * that were. Any number of workers may do it at once: each looks again under the account's lock. An account
 * that fails waits and stops no other.
 */
export async function expireCredits(
  ctx: Pick<Context, "db" | "pool" | "log">,
  until?: AbortSignal,
): Promise<number> {
  let credits = 0;
  const options = {
    loop: expireCreditsLoop,
    keyOf: (accountId: AccountId) => accountId,
    accountOf: (accountId: AccountId) => accountId,
    atOnceMax: accountsAtOnceMax,
    rowMsMax: expireMsMax,
  };
  const expire = async (accountId: AccountId) => {
    const transferId = newId<TransferId>(shardOf(accountId));
    const ids = { account_id: accountId, transfer_id: transferId };
    const { expired } = await callFunction(ctx.pool, "expire_lots", ids);
    credits += expired;
  };
  let after: ExpiredLot | null = null;
  for (;;) {
    const lots: ExpiredLot[] = await listExpiredLots(ctx.db, expireCreditsLoop, after, lotsMax);
    const due = new Set(lots.filter(({ isDue }) => isDue).map(({ accountId }) => accountId));
    const done = await eachRow(ctx, [...due], options, expire, until);
    after = lots.at(-1) ?? null;
    if (lots.length < lotsMax || until?.aborted || (due.size > 0 && done.length === 0)) break;
  }
  if (credits > 0) ctx.log.info({ event: "credits.expired", credits });
  return credits;
}
