import type { Context } from "../context.ts";
import { callFunction } from "../db/database.ts";
import { eachRow } from "../flow/each-row.ts";
import type { AccountId } from "../ids.ts";
import { listAccountsWithoutLots } from "./lot-queries.ts";

export const beginLotsLoop = "begin lots";
const accountsMax = 500;
const accountsAtOnceMax = 4;
const beginMsMax = 15_000;

/**
 * Makes the balances from before there were lots the first lots of their accounts, an account at a time
 * under its lock; returns how many. A transfer that comes first does it, too. Accounts are walked in
 * the order of their ids; a walk that was stopped goes on where it was in the next call.
 */
export function createBeginLots(
  ctx: Pick<Context, "db" | "pool" | "log">,
): (until?: AbortSignal) => Promise<number> {
  let after: AccountId | null = null;
  const options = {
    loop: beginLotsLoop,
    keyOf: (accountId: AccountId) => accountId,
    accountOf: (accountId: AccountId) => accountId,
    atOnceMax: accountsAtOnceMax,
    rowMsMax: beginMsMax,
  };
  return async (until) => {
    let begun = 0;
    const begin = async (accountId: AccountId) => {
      const made = await callFunction(ctx.pool, "begin_lots", { account_id: accountId });
      if (made.is_begun) begun += 1;
    };
    while (!until?.aborted) {
      const accounts = await listAccountsWithoutLots(ctx.db, beginLotsLoop, after, accountsMax);
      const due = accounts.filter(({ isDue }) => isDue).map(({ id }) => id);
      const done = await eachRow(ctx, due, options, begin, until);
      if (due.length > 0 && done.length === 0) break; // the accounts are not at fault: later
      after = accounts.at(-1)?.id ?? null;
      if (accounts.length === accountsMax) continue;
      after = null;
      break;
    }
    if (begun > 0) ctx.log.info({ event: "lots.begun", accounts: begun });
    return begun;
  };
}
