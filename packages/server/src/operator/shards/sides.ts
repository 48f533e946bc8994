import { CompiledQuery } from "kysely";
import type { Db, SharedDb } from "../../db/database.ts";
import type { AccountId } from "../../ids.ts";

/** A database, as the owner of its schema, and its number. */
export interface Side {
  db: Db;
  shard: number;
}

/** A statement whose text is put together from the list of tables. */
export async function run<Row extends object>(
  db: SharedDb,
  text: string,
  values: readonly unknown[] = [],
): Promise<{ rows: Row[]; changed: number }> {
  const { rows, numAffectedRows = 0n } = await db.executeQuery<Row>(
    CompiledQuery.raw(text, [...values]),
  );
  return { rows, changed: Number(numAffectedRows) };
}

export interface AccountRow {
  id: AccountId;
  testOf: AccountId | null;
  movedTo: number | null;
  isClosed: boolean;
}

/** The account and its test account, in the order of their foreign key. */
export async function readAccounts(db: Db, id: AccountId, lock = ""): Promise<AccountRow[]> {
  const { rows } = await run<AccountRow>(
    db,
    `select id, test_of as "testOf", moved_to as "movedTo", closed_at is not null as "isClosed"
     from accounts where id = $1 or test_of = $1 order by test_of nulls first ${lock}`,
    [id],
  );
  return rows;
}
