import { createAccount } from "../../src/accounts/create-account.ts";
import { createKey } from "../../src/accounts/create-key.ts";
import { grantCredits } from "../../src/credits/ledger.ts";
import { openConnections } from "../../src/db/connections.ts";
import { openDatabase } from "../../src/db/database.ts";
import type { AccountId } from "../../src/ids.ts";

export type OpenAccount = (options: {
  credits: number;
  openTasksMax?: number;
}) => Promise<{ accountId: AccountId; key: string }>;

/** Accounts in a stack, without the three processes that an operator would start for each. */
export function openAccountsIn(
  databaseUrl: string,
): { openAccount: OpenAccount } & AsyncDisposable {
  const pool = openConnections(databaseUrl, 2, "open accounts");
  const db = openDatabase(pool);
  const ctx = {
    db,
    directory: { pool, db, shard: db },
    config: { database: { shard: 0 } },
    keyRing: null,
  };
  return {
    async openAccount({ credits, ...limits }) {
      const { accountId } = await createAccount(ctx, { name: "test", ...limits });
      const { key } = await createKey(db, { accountId, name: "test" });
      await grantCredits(pool, { accountId, credits, note: "test" });
      return { accountId, key };
    },
    [Symbol.asyncDispose]: () => pool.end(),
  };
}
