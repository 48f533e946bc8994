import assert from "node:assert";
import {
  Kysely,
  PostgresDialect,
  type PostgresPool,
  type PostgresPoolClient,
  type Transaction,
} from "kysely";
import { DatabaseError, Pool, types } from "pg";
import type { Database } from "./schema.ts";

/** What queries take: the pool or a transaction on it. */
export type Db = Kysely<Database>;
export type Tx = Transaction<Database>;

const int8 = 20;
const statementMsMax = 10_000;
const lockWaitMsMax = 5_000;
const aliveCheckMs = 1_000;

/**
 * A dead process keeps no lock. Every statement is planned once: with partitions the server would
 * otherwise plan again for every value, which costs more than most of our statements do. Such a plan may
 * be made while a table is nearly empty and used when it is full, so none may read all of a table, or all
 * that an index finds, where an index gives what is wanted first; and none is worth compiling.
 */
export const connectionOptions = [
  `client_connection_check_interval=${aliveCheckMs}`,
  "plan_cache_mode=force_generic_plan",
  "enable_seqscan=off",
  "enable_bitmapscan=off",
  "jit=off",
]
  .map((setting) => `-c ${setting}`)
  .join(" ");

function readInteger(text: string): number {
  const value = Number(text);
  assert(Number.isSafeInteger(value), "a bigint column left the range of exact numbers");
  return value;
}

export function openPool(url: string, connectionsMax: number, name: string): Pool {
  const pool = new Pool({
    connectionString: url,
    max: connectionsMax,
    application_name: name,
    connectionTimeoutMillis: 5_000,
    statement_timeout: statementMsMax,
    lock_timeout: lockWaitMsMax,
    idle_in_transaction_session_timeout: statementMsMax,
    options: connectionOptions,
    types: {
      getTypeParser: (oid, format) =>
        oid === int8 ? readInteger : types.getTypeParser(oid, format),
    },
  });
  // A connection that breaks while idle is replaced by the pool; without a listener it would end the process.
  pool.on("error", () => {});
  return pool;
}

/** The pool as typed queries. Destroying it ends the pool. */
export function openDatabase(pool: Pool): Db {
  const statements = nameStatements();
  const prepared: PostgresPool = {
    async connect() {
      const client = await pool.connect();
      const query = (text: string, values: readonly unknown[]) =>
        client.query({ name: statements(text), text, values: [...values] });
      return { query, release: () => client.release() } as unknown as PostgresPoolClient;
    },
    end: () => pool.end(),
    options: pool.options,
  };
  return new Kysely<Database>({ dialect: new PostgresDialect({ pool: prepared }) });
}

const statementsMax = 500;

/**
 * A name per text of a query, so that a connection plans each once and not every time, which costs
 * more than most of them do. Texts without end (lists of any length) stay unnamed beyond the limit.
 */
function nameStatements(): (text: string) => string | undefined {
  const names = new Map<string, string>();
  return (text) => {
    const name = names.get(text);
    if (name !== undefined || names.size >= statementsMax) return name;
    names.set(text, `q${names.size}`);
    return `q${names.size - 1}`;
  };
}

/**
 * Calls a function of the database that answers one row: a prepared statement, one round trip, and
 * nothing of the query builder in between. For the paths where that is worth it.
 */
export async function callFunction<Row extends object>(
  pool: Pool,
  name: string,
  values: unknown[],
): Promise<Row> {
  const places = values.map((_, index) => `$${index + 1}`).join(", ");
  const text = `select * from ${name}(${places})`;
  const { rows } = await pool.query<Row>({ name, text, values });
  const [row] = rows;
  assert(row !== undefined, `${name} answered no row`);
  return row;
}

/** Whether a statement was ended for waiting too long: for a lock, or behind others who wait for it. */
export function isTimeout(error: unknown): boolean {
  return error instanceof DatabaseError && (error.code === "55P03" || error.code === "57014");
}

export function inTransaction<Result>(db: Db, work: (tx: Tx) => Promise<Result>): Promise<Result> {
  return db.transaction().execute(work);
}

export function isUniqueViolation(error: unknown): boolean {
  return error instanceof DatabaseError && error.code === "23505";
}
