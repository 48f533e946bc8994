import type { Db } from "../../db/database.ts";
import type { AccountId } from "../../ids.ts";
import { type Follower, type HistoryTable, historyTables, mediaTable } from "./account-tables.ts";
import { type Rows, readJson, readMedia, writeRows } from "./copy-rows.ts";
import { run } from "./sides.ts";

const rowsMax = 500;
/** Ids are made a moment before their rows are committed. */
const idsLateMs = 10 * 60_000;

/** A moment at the source: what was written before it was copied, what is written later is not. */
export interface Moment {
  /** The oldest transaction that was not over. */
  xid: string;
  /** The floors by account: rows that can have changed since have at least these values. */
  floors: ReadonlyMap<AccountId, { number: number; "id of an open task": string }>;
}

export async function readMoment(db: Db, ids: readonly AccountId[]): Promise<Moment> {
  // The transaction first: whatever commits in between is copied twice, and not never.
  const { rows } = await run<{ xid: string }>(
    db,
    "select pg_snapshot_xmin(pg_current_snapshot())::text as xid",
  );
  const { rows: floors } = await run<{ id: AccountId; number: number; taskId: string }>(
    db,
    `select a.id, a.transfers as number, least(id_floor(now() - $2 * interval '1 millisecond'),
       (select task_id from open_tasks o where o.account_id = a.id order by task_id limit 1)) as "taskId"
     from accounts a where a.id = any ($1)`,
    [ids, idsLateMs],
  );
  return {
    xid: rows[0]?.xid ?? "3",
    floors: new Map(
      floors.map(({ id, number, taskId }) => [id, { number, "id of an open task": taskId }]),
    ),
  };
}

/**
 * Copies the history of an account that was written since a moment; `null`: all of it. Nothing is locked. A
 * row version that a snapshot does not show is of a transaction that was not over then, and those have
 * numbers from `xid` on.
 */
export async function copyHistory(
  sides: { source: Db; target: Db },
  accountId: AccountId,
  since: Moment | null,
): Promise<number> {
  let copied = 0;
  for (const history of historyTables) {
    const floor = history.floor && since?.floors.get(accountId)?.[history.floor];
    // Before the rows that they belong to: each of these is then among those that are read after it.
    const changed =
      since === null ? [] : await readChanged(sides.source, history, { accountId, since, floor });
    let after: string | null = null;
    do {
      const chunk: Chunk = await readChunk(sides.source, history, {
        accountId,
        since,
        floor,
        after,
      });
      copied += await copyRows(sides, history, chunk.rows);
      if (since === null && chunk.keys.length > 0)
        for (const follower of history.followers)
          copied += await copyRows(
            sides,
            follower,
            await readFollowers(sides.source, history, follower, accountId, chunk.keys),
          );
      after = chunk.last;
    } while (after !== null);
    for (const { follower, rows } of changed) copied += await copyRows(sides, follower, rows);
  }
  return copied;
}

interface Chunk {
  rows: Rows;
  keys: string[];
  /** The key of the last row; null: there are no more. */
  last: string | null;
}

const isChanged = (row: string, xid: string) => `age(${row}.xmin) <= age(${xid}::text::xid8::xid)`;

async function readChunk(
  db: Db,
  { table, key, settled = "true" }: HistoryTable,
  wanted: {
    accountId: AccountId;
    since: Moment | null;
    floor: number | string | undefined;
    after: string | null;
  },
): Promise<Chunk> {
  const { accountId, since, floor, after } = wanted;
  const values: unknown[] = [accountId];
  const placeholder = (value: unknown) => `$${values.push(value)}`;
  const conditions = [
    `t.account_id = $1`,
    settled,
    ...(since === null ? [] : [isChanged("t", placeholder(since.xid))]),
    ...(floor === undefined ? [] : [`t.${key} >= ${placeholder(floor)}`]),
    ...(after === null ? [] : [`t.${key} > ${placeholder(after)}`]),
  ];
  const { rows } = await run<{ row: string; key: string }>(
    db,
    `select to_jsonb(t)::text as row, t.${key}::text as key from ${table} t
     where ${conditions.join(" and ")} order by t.${key} fetch first ${rowsMax} rows with ties`,
    values,
  );
  return {
    rows: rows.map(({ row }) => row),
    keys: rows.map((row) => row.key),
    last: rows.length < rowsMax ? null : (rows.at(-1)?.key ?? null),
  };
}

/** Reads the follower rows of a chunk. */
async function readFollowers(
  db: Db,
  { table, key }: HistoryTable,
  follower: Follower,
  accountId: AccountId,
  keys: readonly string[],
): Promise<Rows> {
  return readJson(
    db,
    `select to_jsonb(f)::text as row from ${table} t, ${follower.table} f
     where t.account_id = $1 and t.${key} = any ($2) and ${follower.of}`,
    [accountId, keys],
  );
}

/** Those that have changed, or whose own row has: it may be history only since then. */
async function readChanged(
  db: Db,
  { table, key, settled = "true", followers }: HistoryTable,
  wanted: { accountId: AccountId; since: Moment; floor: number | string | undefined },
): Promise<{ follower: Follower; rows: Rows }[]> {
  const { accountId, since, floor } = wanted;
  const changed: { follower: Follower; rows: Rows }[] = [];
  for (const follower of followers) {
    const condition = follower.mayChange ?? isChanged("f", "$2");
    const conditions = [
      `t.account_id = $1`,
      settled,
      follower.of,
      `(${isChanged("t", "$2")} or ${condition})`,
      ...(floor === undefined ? [] : [`t.${key} >= $3`]),
    ];
    const text = `select to_jsonb(f)::text as row from ${table} t, ${follower.table} f
      where ${conditions.join(" and ")}`;
    const values = [accountId, since.xid, ...(floor === undefined ? [] : [floor])];
    changed.push({ follower, rows: await readJson(db, text, values) });
  }
  return changed;
}

async function copyRows(
  { source, target }: { source: Db; target: Db },
  shape: { table: string; unique: readonly string[] },
  rows: Rows,
): Promise<number> {
  await writeRows(target, shape, rows);
  await writeRows(target, mediaTable, await readMedia(source, shape.table, rows));
  return rows.length;
}
