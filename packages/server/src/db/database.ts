import {
  Kysely,
  PostgresDialect,
  type PostgresPool,
  type PostgresPoolClient,
  type RawBuilder,
  sql,
  type Transaction,
} from "kysely";
import { DatabaseError } from "pg";
import { NoPermitFree } from "../errors.ts";
import { type Connections, DatabaseUnavailable, StalePlan } from "./connections.ts";
import { onlyRow } from "./only-row.ts";
import type { Database, DirectoryTables, ShardTables, SharedTables } from "./schema.ts";
import type { BatchFunctions, SqlFunctions } from "./sql-functions.ts";

declare const tables: unique symbol;
/** Never there at run time: Kysely's types alone let a database of fewer tables pass for one of more. */
interface Has<Tables> {
  readonly [tables]?: Tables;
}
/** The argument of queries: a database or a transaction on it. */
type Queries<Tables> = (Transaction<Tables> | Kysely<Tables>) & Has<Tables>;
type Transacted<Tables> = Transaction<Tables> & Has<Tables>;

/** The accounts of a shard. */
export type Db = Queries<ShardTables>;
export type Tx = Transacted<ShardTables>;
/** People, staff, mails, vendor accounts and switches. */
export type DirectoryDb = Queries<DirectoryTables>;
export type DirectoryTx = Transacted<DirectoryTables>;
/** Both, in one database: the first shard. */
export type FirstShardDb = Queries<Database>;
/** Either of the two, for what both have. */
export type SharedDb = Queries<SharedTables>;
export type SharedTx = Transacted<SharedTables>;

/** The connections as typed queries. Destroying it ends them. */
export function openDatabase<Tables>(
  connections: Connections<Tables>,
): Kysely<Tables> & Has<Tables> {
  const nameOf = nameStatements();
  async function connect(): Promise<PostgresPoolClient> {
    const { query, release } = await connections.connect();
    const send = (text: string, values: readonly unknown[]) => {
      const name = nameOf(text);
      return query({ text, values: [...values], name });
    };
    return { query: send, release } as unknown as PostgresPoolClient; // no cursors
  }
  const pool: PostgresPool = { connect, end: () => connections.end(), options: {} };
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
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
 * Calls a function of `migrations/functions` that returns one row: a prepared statement, one round trip,
 * and nothing of the query builder in between. For the paths where that is worth it. Arguments are named
 * as in the function, without their `p_`.
 */
export async function callFunction<Name extends keyof SqlFunctions>(
  pool: Connections<SharedTables>,
  name: Name,
  args: SqlFunctions[Name]["takes"],
): Promise<SqlFunctions[Name]["returns"]> {
  const placeholders = Object.keys(args).map((key, index) => `p_${key} => $${index + 1}`);
  const text = `select * from ${name}(${placeholders.join(", ")})`;
  const { rows } = await pool.query<SqlFunctions[Name]["returns"]>({
    name,
    text,
    values: Object.values(args),
  });
  return onlyRow(rows);
}

/** A batch function is called inside a transaction for one row. */
type TransactedFunctions = SqlFunctions & {
  [Name in keyof BatchFunctions]: {
    takes: { rows: string; wait: "long" };
    returns: BatchFunctions[Name]["returns"];
  };
};
type OrExpressions<Args> = { [Name in keyof Args]: Args[Name] | RawBuilder<Args[Name]> };

/** Calls a function inside a transaction. An argument may be an expression. */
export async function callFunctionIn<Name extends keyof TransactedFunctions>(
  db: SharedDb,
  functionName: Name,
  args: OrExpressions<TransactedFunctions[Name]["takes"]>,
): Promise<TransactedFunctions[Name]["returns"]> {
  const name = sql.ref(functionName);
  const placeholders = Object.entries(args).map(
    ([key, value]) => sql`${sql.ref(`p_${key}`)} => ${value}`,
  );
  const { rows } = await sql<TransactedFunctions[Name]["returns"]>`
    select * from ${name}(${sql.join(placeholders)})`.execute(db);
  return onlyRow(rows);
}

/** Whether a statement was ended for waiting too long: for a lock, or behind others who wait for it. */
export function isTimeout(error: unknown): boolean {
  return error instanceof DatabaseError && (error.code === "55P03" || error.code === "57014");
}

/** Whether the account lives in another shard by now: see `refuse_moved`. Nothing was written. */
export function isAccountMoved(error: unknown): boolean {
  return error instanceof DatabaseError && error.code === "ZM001";
}

/**
 * SQLSTATEs and classes of them: connection lost, out of resources, shutting down or starting up, a
 * transaction left idle, deadlock or conflict, system error; read-only while a standby takes over.
 */
const unavailableStates = /^(08|53|57P|58|25P03|40001|40P01|25006)/;
/** Codes of Node for a service that cannot be reached, such as the storage. */
const unavailableCodes = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
  "ETIMEDOUT",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOTFOUND",
  "EAI_AGAIN",
]);
/**
 * Whether an error means that the database cannot do it at the moment: no free connection in time, the
 * connection lost, no response in time, a server that is starting, stopping or full, or an account that has
 * just moved to another. The caller may retry; whether a statement in flight took effect is not known.
 */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof DatabaseUnavailable || error instanceof StalePlan) return true;
  if (error instanceof NoPermitFree || isTimeout(error) || isAccountMoved(error)) return true;
  const { code } = error as { code?: unknown };
  if (error instanceof DatabaseError) return unavailableStates.test(error.code ?? "");
  return unavailableCodes.has(String(code));
}

/**
 * Runs the work in a transaction. It may run twice: a stale plan inside a transaction aborts it and rolls
 * it back. Effects that cannot be rolled back belong after the commit.
 */
export async function inTransaction<Tables, Result>(
  db: Queries<NoInfer<Tables>> & Has<Tables>,
  work: (tx: Transacted<Tables>) => Promise<Result>,
): Promise<Result> {
  try {
    return await db.transaction().execute(work);
  } catch (error) {
    if (!(error instanceof StalePlan)) throw error;
    return db.transaction().execute(work);
  }
}

/** Runs work in a transaction of the directory. */
export type InDirectory = <Result>(
  work: (directory: DirectoryTx) => Promise<Result>,
) => Promise<Result>;

/**
 * A transaction of an account's shard that also changes the directory: in the first shard it is the same
 * transaction, so that no second connection is waited for; elsewhere what changes there commits before it.
 */
export function withDirectory<Result>(
  { db, directory }: { db: Db; directory: { db: DirectoryDb; shard: FirstShardDb | null } },
  work: (tx: Tx, inDirectory: InDirectory) => Promise<Result>,
): Promise<Result> {
  if (directory.shard !== null)
    return inTransaction(directory.shard, (tx) => work(tx, (workThere) => workThere(tx)));
  return inTransaction(db, (tx) => work(tx, (workThere) => inTransaction(directory.db, workThere)));
}

export function isUniqueViolation(error: unknown): boolean {
  return error instanceof DatabaseError && error.code === "23505";
}
