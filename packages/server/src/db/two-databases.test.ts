import { expect, test } from "vitest";
import type { AccountId, TaskId } from "../ids.ts";
import { listMembers } from "../people/members/queries.ts";
import { findSession } from "../people/session-queries.ts";
import { findOpenTask } from "../tasks/open-task-queries.ts";
import type { Connections } from "./connections.ts";
import {
  type Db,
  type DirectoryDb,
  type DirectoryTx,
  type FirstShardDb,
  inTransaction,
  type SharedDb,
  type Tx,
} from "./database.ts";

// Checked by the compiler: a line that compiles although it should not is an error.
test("a query of a table that the other database has does not compile", () => {
  for (const query of [
    (db: Db) => db.selectFrom("tasks").select("id"),
    (db: DirectoryDb) => db.selectFrom("people").select("id"),
    (db: SharedDb) => db.selectFrom("audit_entries").select("id"),
    (db: FirstShardDb) =>
      db.selectFrom(["people", "accounts"]).select(["people.email", "accounts.name"]),
    // @ts-expect-error people are in the directory
    (db: Db) => db.selectFrom("people"),
    // @ts-expect-error tasks are in the shard of their account
    (db: DirectoryDb) => db.selectFrom("tasks"),
    // @ts-expect-error shards have no vendor accounts
    (db: SharedDb) => db.selectFrom("vendor_accounts"),
  ])
    expect(query).toBeTypeOf("function");
});

test("a function of one database takes neither the other nor a transaction on it", () => {
  for (const call of [
    (db: FirstShardDb, id: AccountId) => listMembers(db, id),
    (db: FirstShardDb, id: TaskId) => findOpenTask(db, id),
    (tx: Tx, id: TaskId) => findOpenTask(tx, id),
    // @ts-expect-error members are in the directory
    (db: Db, id: AccountId) => listMembers(db, id),
    // @ts-expect-error the same for a transaction
    (tx: Tx, id: AccountId) => listMembers(tx, id),
    // @ts-expect-error tasks are in the shard of their account
    (tx: DirectoryTx, id: TaskId) => findOpenTask(tx, id),
    // @ts-expect-error sessions are in the directory
    (pool: Connections, hash: Buffer) => findSession(pool, hash),
    // @ts-expect-error what may be the directory is no shard
    (db: SharedDb, id: TaskId) => findOpenTask(db, id),
    // @ts-expect-error not every shard is the first
    (db: Db): FirstShardDb => db,
    // @ts-expect-error nor is every transaction one on the first
    (tx: Tx): FirstShardDb => tx,
    // @ts-expect-error of the directory alone, too
    (db: DirectoryDb, id: TaskId) => inTransaction(db, (tx) => findOpenTask(tx, id)),
  ])
    expect(call).toBeTypeOf("function");
});
