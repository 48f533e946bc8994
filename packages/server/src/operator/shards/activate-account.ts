import assert from "node:assert";
import { recordAudit } from "../../audit/record-audit.ts";
import type { AccountId, Actor } from "../../ids.ts";
import { mediaTable, openTables } from "./account-tables.ts";
import { writeRows } from "./copy-rows.ts";
import { type AccountRow, readAccounts, run, type Side } from "./sides.ts";

/**
 * Makes an account live in the target: what it had open, its balance and its name as at the freeze. Only
 * once the source has let go of it.
 */
export async function activate(
  target: Side,
  accounts: readonly AccountRow[],
  actor: Actor,
): Promise<void> {
  const ids = accounts.map(({ id }) => id);
  const [accountId] = ids;
  if (accountId === undefined) return;
  await target.db.transaction().execute(async (tx) => {
    const { rows } = await run<{ from: number; table: string; list: string[] }>(
      tx,
      `select a.from_shard as from, open.key as table,
              array(select value::text from jsonb_array_elements(open.value)) as list
       from arrivals a, jsonb_each(a.open_rows) as open where a.account_id = $1`,
      [accountId],
    );
    const from = rows[0]?.from;
    if (from === undefined) return requireHere(tx, accountId); // done by a run before this one
    const arrived = new Map(rows.map(({ table, list }) => [table, list]));
    for (const shape of [...openTables, mediaTable])
      await writeRows(tx, shape, arrived.get(shape.table) ?? []);
    // Last, so that nothing here is acted on before all of it is there.
    await writeAccounts(tx, arrived.get("accounts") ?? []);
    await run(tx, "delete from arrivals where account_id = $1", [accountId]);
    await recordAudit(tx, actor, {
      accountId,
      action: "account.move",
      object: accountId,
      before: { shard: from },
      after: { shard: target.shard },
    });
    await run(tx, "select pg_notify('accounts_moved', id::text) from unnest($1::uuid[]) as id", [
      ids,
    ]);
  });
}

/** Requires the open rows to be here: without them an account must not live anywhere. */
async function requireHere(tx: Tx, accountId: AccountId): Promise<void> {
  const [account] = await readAccounts(tx, accountId);
  assert(account?.movedTo === null, "what the account had open is not in the target");
}

type Tx = Parameters<typeof writeRows>[0];

async function writeAccounts(tx: Tx, rows: readonly string[]): Promise<void> {
  const here = rows.map((row) =>
    JSON.stringify({ ...(JSON.parse(row) as object), moved_to: null, moving_at: null }),
  );
  await writeRows(tx, { table: "accounts", unique: ["id"] }, here);
}

/**
 * Writes the forwarding rows that lead to the account in another shard. A forwarding row has no data of the
 * account.
 */
export async function writeForwardingRows(
  db: Tx,
  rows: readonly string[],
  shard: number,
): Promise<void> {
  const forwardingRows = rows.map((row) =>
    JSON.stringify({
      ...(JSON.parse(row) as object),
      moved_to: shard,
      moving_at: null,
      credits: 0,
      held: 0,
      transfers: 0,
    }),
  );
  await writeRows(db, { table: "accounts", unique: ["id"] }, forwardingRows);
}
