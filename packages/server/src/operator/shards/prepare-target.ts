import type { Db } from "../../db/database.ts";
import type { AccountId } from "../../ids.ts";
import { historyTables, mediaTable, openTables } from "./account-tables.ts";
import { writeForwardingRows } from "./activate-account.ts";
import { readAllColumns, readJson } from "./copy-rows.ts";
import { forgetMoved } from "./forget-moved.ts";
import { readAccounts, run, type Side } from "./sides.ts";

/** Requires that both databases have the same schema, so that rows of one fit into the other. */
export async function requireSameSchema(source: Db, target: Db): Promise<void> {
  const text = "select string_agg(name, ' ' order by name) as names from migrations";
  const [one, other] = await Promise.all(
    [source, target].map(async (db) => (await run<{ names: string }>(db, text)).rows[0]?.names),
  );
  if (one !== other)
    throw new Error("The two shards do not have the same migrations. Run 'migrate' on both first.");
}

/**
 * Leaves of the account in the target only a forwarding row that leads to the source: neither what it had
 * there before it moved away, nor what a move that did not come to its end has copied.
 */
export async function prepareTarget(
  source: Side,
  target: Side,
  accountId: AccountId,
): Promise<void> {
  const known = await readAccounts(target.db, accountId);
  if (known.some(({ movedTo }) => movedTo === null))
    throw new Error("Both shards say that the account lives there. Nothing was changed.");
  const text =
    "select to_jsonb(t)::text as row from accounts t where id = $1 or test_of = $1 order by test_of nulls first";
  const rows = await readJson(source.db, text, [accountId]);
  await target.db.transaction().execute(async (tx) => {
    await writeForwardingRows(tx, rows, source.shard);
    await run(tx, "delete from arrivals where account_id = $1", [accountId]);
  });
  await forgetMoved(target, accountId);
  const followers = historyTables.flatMap((history) => history.followers);
  const moved = [...historyTables, ...followers, ...openTables, mediaTable].map(
    ({ table }) => table,
  );
  await readAllColumns(target.db, ["accounts", ...moved]);
  await requireFreeAssetIds(source.db, target.db, accountId);
}

/** Assets from before the shards had ranges of their own may have the same ids. */
async function requireFreeAssetIds(source: Db, target: Db, accountId: AccountId): Promise<void> {
  const { rows } = await run<{ ids: string }>(
    source,
    `select coalesce(json_agg(s.id)::text, '[]') as ids from assets s
     join accounts a on a.id = s.account_id where a.id = $1 or a.test_of = $1`,
    [accountId],
  );
  const { rows: taken } = await run<{ id: number }>(
    target,
    "select id from assets where id in (select value::bigint from json_array_elements_text($1::json)) limit 1",
    [rows[0]?.ids],
  );
  if (taken.length > 0)
    throw new Error(
      `Both shards have an asset ${taken[0]?.id}: assets that were made before their ids were reserved cannot meet.`,
    );
}

/** The next purge of prompts passes the rows that came, and the ledger is checked knowing what was dropped. */
export async function alignRetention(
  marks: readonly Mark[],
  source: Db,
  target: Db,
): Promise<void> {
  for (const { name, up_to: upTo } of marks)
    await run(target, "update purge_progress set up_to = $2 where name = $1 and up_to > $2", [
      name,
      upTo,
    ]);
  const { rows } = await run<{ list: string }>(
    source,
    "select coalesce(json_agg(d)::text, '[]') as list from dropped_ranges d",
  );
  await run(
    target,
    `insert into dropped_ranges (parent, from_id, to_id, dropped_at)
     select parent, from_id, to_id, dropped_at from json_populate_recordset(null::dropped_ranges, $1::json)
     on conflict do nothing`,
    [rows[0]?.list],
  );
}

export interface Mark {
  name: string;
  up_to: string;
}

/**
 * Reads the marks up to which prompts are purged. They are read before rows are copied, so that prompts
 * that are purged later are purged again.
 */
export async function readPurgeMarks(db: Db): Promise<Mark[]> {
  return (await run<Mark>(db, "select name, up_to from purge_progress")).rows;
}
