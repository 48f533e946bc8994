import type { Db } from "../../db/database.ts";
import type { AccountId } from "../../ids.ts";
import { historyTables, mediaTable, openTables } from "./account-tables.ts";
import { mediaKeysOf } from "./media-keys.ts";
import { readAccounts, run, type Side } from "./sides.ts";

const rowsMax = 500;

/**
 * Deletes what a shard still has of an account that lives in another one, in small steps. The account's own
 * row stays as a forwarding row, and its keys: a key names the shard that it was made in and is looked up
 * there.
 */
export async function forgetMoved(
  side: Pick<Side, "db">,
  accountId: AccountId,
  onProgress: (rows: number) => void = () => {},
): Promise<number> {
  const accounts = await readAccounts(side.db, accountId);
  if (accounts.some(({ movedTo }) => movedTo === null))
    throw new Error("The account lives here: nothing was deleted.");
  const ids = accounts.map(({ id }) => id);
  let deleted = await deleteOpen(side.db, ids);
  for (const id of ids)
    for (const history of historyTables)
      for (;;) {
        const rows = await deleteSome(side.db, history, id);
        deleted += rows;
        onProgress(deleted);
        if (rows === 0) break;
      }
  await run(
    side.db,
    "update accounts set credits = 0, held = 0, transfers = 0 where id = any ($1)",
    [ids],
  );
  return deleted;
}

async function deleteOpen(db: Db, ids: readonly AccountId[]): Promise<number> {
  let deleted = 0;
  for (const { table, of } of [...openTables].reverse()) {
    if (table === "api_keys") continue;
    const text = `delete from ${table} t where ${of} returning to_jsonb(t)::text as row`;
    const { rows } = await run<{ row: string }>(db, text, [ids]);
    await forgetMedia(db, table, rows);
    deleted += rows.length;
  }
  return deleted;
}

/**
 * Deletes rows after their followers, so that an interrupted run leaves nothing that a later run does not
 * find.
 */
async function deleteSome(
  db: Db,
  { table, key, followers }: (typeof historyTables)[number],
  accountId: AccountId,
): Promise<number> {
  const { rows: next } = await run<{ key: string }>(
    db,
    `select t.${key}::text as key from ${table} t where t.account_id = $1
     order by t.${key} limit ${rowsMax}`,
    [accountId],
  );
  const keys = next.map((row) => row.key);
  if (keys.length === 0) return 0;
  return db.transaction().execute(async (tx) => {
    const condition = `t.account_id = $1 and t.${key} = any ($2)`;
    for (const follower of followers) {
      const text = `delete from ${follower.table} f using ${table} t where ${condition} and ${follower.of}
        returning to_jsonb(f)::text as row`;
      await forgetMedia(
        tx,
        follower.table,
        (await run<{ row: string }>(tx, text, [accountId, keys])).rows,
      );
    }
    const text = `delete from ${table} t where ${condition} returning to_jsonb(t)::text as row`;
    const { rows } = await run<{ row: string }>(tx, text, [accountId, keys]);
    await forgetMedia(tx, table, rows);
    return rows.length;
  });
}

/** The objects stay: the shard that the account lives in has a record of each. */
async function forgetMedia(db: Db, table: string, rows: readonly { row: string }[]): Promise<void> {
  const keys = mediaKeysOf(
    table,
    rows.map(({ row }) => row),
  );
  if (keys.length > 0)
    await run(db, `delete from ${mediaTable.table} where key = any ($1)`, [keys]);
}
