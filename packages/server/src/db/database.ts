import assert from "node:assert";
import { Kysely, PostgresDialect, type Transaction } from "kysely";
import { Pool, types } from "pg";
import type { Database } from "./schema.ts";

/** What queries take: the pool or a transaction on it. */
export type Db = Kysely<Database>;
export type Tx = Transaction<Database>;

const int8 = 20;
const statementMsMax = 10_000;
const lockWaitMsMax = 5_000;

function readInteger(text: string): number {
  const value = Number(text);
  assert(Number.isSafeInteger(value), "a bigint column left the range of exact numbers");
  return value;
}

export function openDatabase(url: string, connectionsMax: number, name: string): Db {
  const pool = new Pool({
    connectionString: url,
    max: connectionsMax,
    application_name: name,
    connectionTimeoutMillis: 5_000,
    statement_timeout: statementMsMax,
    lock_timeout: lockWaitMsMax,
    idle_in_transaction_session_timeout: statementMsMax,
    types: {
      getTypeParser: (oid, format) =>
        oid === int8 ? readInteger : types.getTypeParser(oid, format),
    },
  });
  // A connection that breaks while idle is replaced by the pool; without a listener it would end the process.
  pool.on("error", () => {});
  return new Kysely<Database>({ dialect: new PostgresDialect({ pool }) });
}

export function inTransaction<Result>(db: Db, work: (tx: Tx) => Promise<Result>): Promise<Result> {
  return db.transaction().execute(work);
}
