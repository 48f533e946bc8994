import assert from "node:assert";
import type { Db } from "../../db/database.ts";
import type { AccountId } from "../../ids.ts";
import { historyTables, mediaTable, openTables, rebuiltTables } from "./account-tables.ts";
import { countClaims } from "./claims-in-flight.ts";
import { copyHistory, type Moment } from "./copy-history.ts";
import { readJson, readMedia, writeRows } from "./copy-rows.ts";
import { type AccountRow, readAccounts, run, type Side } from "./sides.ts";

/**
 * The lock timeout. It is below the server's deadlock_timeout, 1 s: in a deadlock the other transaction
 * wins, and the move tries again.
 */
const lockMsMax = 400;

/** The account was not ready to be frozen; nothing has changed. */
export class NotYet extends Error {}

export interface Frozen {
  source: Side;
  target: Side;
  accounts: readonly AccountRow[];
  /** Everything older has been copied. */
  since: Moment;
  onStep(step: "frozen" | "delivered"): Promise<void> | void;
}

/**
 * Locks all of an account at the source, writes what is still missing to the target, and decides: the
 * commit at the source is the moment from which on the account lives in the target. Transactions that wait
 * for a lock find the account moved or its row gone.
 */
export async function freezeAndDecide(move: Frozen): Promise<{ rows: number; lockedAt: number }> {
  const ids = move.accounts.map(({ id }) => id);
  return move.source.db.transaction().execute(async (source) => {
    await run(source, `set local lock_timeout = ${lockMsMax}`);
    await run(source, "set local idle_in_transaction_session_timeout = 10000");
    const lockedAt = performance.now();
    // Open rows before accounts, as in finish_tasks; then those that came in between.
    await lockOpenRows(source, ids);
    await lockAccounts(source, move.accounts);
    await lockOpenRows(source, ids);
    if ((await countClaims(source, ids)) > 0) throw new NotYet("a submit is under way");
    await move.onStep("frozen");
    const { rows, expiring } = await move.target.db
      .transaction()
      .execute((target) => deliver(move, ids, { source, target }));
    await move.onStep("delivered");
    await letGo(source, ids, move.target.shard, expiring);
    return { rows, lockedAt };
  });
}

async function lockOpenRows(db: Db, ids: readonly AccountId[]): Promise<void> {
  for (const { table, unique, of, isLocked } of openTables)
    if (isLocked)
      await run(
        db,
        `select from ${table} t where ${of} order by ${unique.map((column) => `t.${column}`)} for update`,
        [ids],
      );
}

/** Everything that writes for an account takes a share of this lock at least, or holds an open row. */
async function lockAccounts(db: Db, accounts: readonly AccountRow[]): Promise<void> {
  const [account] = accounts;
  if (account === undefined) throw new NotYet("there is no account");
  const locked = await readAccounts(db, account.id, "for update");
  if (locked.length !== accounts.length) throw new NotYet("it has a test account since just now");
  if (locked.some(({ isClosed, movedTo }) => isClosed || movedTo !== null))
    throw new Error("The account was closed or moved meanwhile.");
}

/** Everything that is missing at the target: history in its tables, what is open in `arrivals`. */
async function deliver(
  { source: { shard }, since }: Frozen,
  ids: readonly AccountId[],
  sides: { source: Db; target: Db },
): Promise<{ rows: number; expiring: string[] }> {
  const { source, target } = sides;
  let rows = 0;
  for (const id of ids) {
    rows += await copyHistory(sides, id, since);
    await copyRebuilt(sides, id);
  }
  const open: [string, readonly string[]][] = [
    [
      "accounts",
      await readJson(
        source,
        "select to_jsonb(t)::text as row from accounts t where id = any ($1)",
        [ids],
      ),
    ],
  ];
  const media: string[] = [];
  for (const shape of openTables) {
    const { table, of } = shape;
    const text = `select to_jsonb(t)::text as row from ${table} t where ${of}`;
    const found = await readJson(source, text, [ids]);
    // A request that comes between the decision and the activation must find its key: it is no unknown one.
    if (table === "api_keys") await writeRows(target, shape, found);
    media.push(...(await readMedia(source, table, found)));
    open.push([table, found]);
    rows += found.length;
  }
  open.push([mediaTable.table, media]);
  // Objects of its open work are kept or dropped where it lives: the source must not collect them later.
  const expiring = media
    .map((row) => JSON.parse(row) as { key: string; expires_at: string | null })
    .flatMap(({ key, expires_at: at }) => (at === null ? [] : [key]));
  await run(
    target,
    `insert into arrivals (account_id, from_shard, open_rows) values ($1, $2, $3::jsonb)
     on conflict (account_id) do update set from_shard = excluded.from_shard, open_rows = excluded.open_rows`,
    [ids[0], shard, `{${open.map(([table, list]) => `"${table}":[${list.join(",")}]`).join(",")}}`],
  );
  return { rows, expiring };
}

/** Copies all usage again if `usage rebuild` has run meanwhile. */
async function copyRebuilt(sides: { source: Db; target: Db }, id: AccountId): Promise<void> {
  for (const table of rebuiltTables) {
    const count = async (db: Db) => {
      const text = `select count(*) as count from ${table} where account_id = $1`;
      return (await run<{ count: number }>(db, text, [id])).rows[0]?.count;
    };
    if ((await count(sides.source)) === (await count(sides.target))) continue;
    await run(sides.target, `delete from ${table} where account_id = $1`, [id]);
    const text = `select to_jsonb(t)::text as row from ${table} t where account_id = $1`;
    await writeRows(sides.target, shapeOf(table), await readJson(sides.source, text, [id]));
  }
}

function shapeOf(table: string) {
  const shape = historyTables.find((history) => history.table === table);
  assert(shape !== undefined);
  return shape;
}

/** Writes the decision at the source: from its commit on the account lives in the target. */
async function letGo(
  db: Db,
  ids: readonly AccountId[],
  shard: number,
  expiring: readonly string[],
): Promise<void> {
  for (const { table, of, leaves } of [...openTables].reverse())
    if (leaves) await run(db, `delete from ${table} t where ${of}`, [ids]);
  await run(db, `delete from ${mediaTable.table} where key = any ($1)`, [expiring]);
  await run(db, "update accounts set moved_to = $2, moving_at = null where id = any ($1)", [
    ids,
    shard,
  ]);
  await run(db, "select pg_notify('accounts_moved', id::text) from unnest($1::uuid[]) as id", [
    ids,
  ]);
}
