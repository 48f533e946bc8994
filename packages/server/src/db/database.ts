import assert from "node:assert";
import {
  Kysely,
  PostgresDialect,
  type PostgresPool,
  type PostgresPoolClient,
  sql,
  type Transaction,
} from "kysely";
import { DatabaseError, Pool, type PoolClient, type QueryConfig, types } from "pg";
import { NoPermitFree } from "../semaphore.ts";
import { onlyRow } from "./only-row.ts";
import type { Database } from "./schema.ts";
import { connectionOptions, statementMsMax, timeouts } from "./session-settings.ts";

/** What queries take: the pool or a transaction on it. */
export type Db = Kysely<Database>;
export type Tx = Transaction<Database>;

const int8 = 20;
const connectMsMax = 5_000;
/** Above the server's own limit: only a server that does not answer at all gets here. */
const answerMsMax = statementMsMax + 2_000;
/** A peer that vanished without closing is noticed although nothing is sent. */
const keepAliveAfterMs = 10_000;

function readInteger(text: string): number {
  const value = Number(text);
  assert(Number.isSafeInteger(value), "a bigint value exceeds the range of safe integers");
  return value;
}

/**
 * `isPooled`: the address is that of a pooler, which gives every transaction any of its connections. What
 * belongs to a connection is not ours then: it has the settings from elsewhere, and knows no statement by
 * its name.
 */
export function openPool(
  url: string,
  connectionsMax: number,
  name: string,
  isPooled = false,
): Pool {
  const pool = new Pool({
    connectionString: url,
    max: connectionsMax,
    application_name: name,
    connectionTimeoutMillis: connectMsMax,
    query_timeout: answerMsMax,
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveAfterMs,
    ...(isPooled ? {} : { ...timeouts, options: connectionOptions }),
    types: {
      getTypeParser: (oid, format) =>
        oid === int8 ? readInteger : types.getTypeParser(oid, format),
    },
  });
  // A connection that breaks while idle is replaced by the pool; without a listener it would end the process.
  pool.on("error", () => {});
  pool.on("connect", (client) => client.on("error", () => {})); // so, too, one that breaks while it is held
  if (isPooled) pool.on("connect", sendUnnamed);
  keepConnections(pool);
  return pool;
}

function sendUnnamed(client: PoolClient): void {
  const send = client.query.bind(client) as (...query: unknown[]) => unknown;
  const query = (config: unknown, ...rest: unknown[]) =>
    send(isNamed(config) ? { ...config, name: undefined } : config, ...rest);
  client.query = query as PoolClient["query"];
}

function isNamed(config: unknown): config is QueryConfig {
  return typeof config === "object" && config !== null && "name" in config;
}

/**
 * Queries of the pool, apart from transactions. A statement that the server refused leaves its connection
 * as it was, with its plans, and it is used again: the pool by itself would open another one, which costs
 * more than most statements.
 *
 * A column added to a table makes the plans of statements that read all its columns stale, on every
 * connection that has one, for as long as it lives. Such a statement has done nothing: it is sent again
 * without a name, so that no plan is looked up, and its connection is dropped.
 */
function keepConnections(pool: Pool): void {
  async function once(config: QueryConfig | string, ...values: unknown[]) {
    const client = await pool.connect();
    let isBroken = false;
    try {
      return await client.query(config as QueryConfig, values[0] as unknown[]);
    } catch (error) {
      isBroken = isConnectionLost(error) || isStalePlan(error);
      throw error;
    } finally {
      client.release(isBroken);
    }
  }
  const query = async (config: QueryConfig | string, ...values: unknown[]) => {
    try {
      return await once(config, ...values);
    } catch (error) {
      if (!isStalePlan(error)) throw error;
      const unnamed = typeof config === "string" ? config : { ...config, name: undefined };
      return once(unnamed, ...values);
    }
  };
  pool.query = query as Pool["query"];
}

/** The pool as typed queries. Destroying it ends the pool. */
export function openDatabase(pool: Pool): Db {
  const statements = nameStatements();
  // Rises when a plan was stale: connections from before are not used again.
  let generation = 0;
  const generations = new WeakMap<PoolClient, number>();
  pool.on("connect", (client) => generations.set(client, generation));
  const isCurrent = (client: PoolClient) => generations.get(client) === generation;

  async function takeConnection(): Promise<PoolClient> {
    const client = await pool.connect();
    if (isCurrent(client)) return client;
    client.release(true);
    return takeConnection();
  }

  async function connect(): Promise<PostgresPoolClient> {
    const client = await takeConnection();
    let broken: unknown;
    // Lost between two statements: without a listener it would end the process.
    const onError = (error: Error) => {
      broken = error;
    };
    client.on("error", onError);
    const query = async (text: string, values: readonly unknown[]) => {
      if (broken !== undefined) throw broken; // a rollback, to a server that does not answer
      try {
        return await client.query({ name: statements(text), text, values: [...values] });
      } catch (error) {
        if (isConnectionLost(error)) broken = error;
        if (!isStalePlan(error)) throw error;
        if (isCurrent(client)) generation += 1;
        if (client.getTransactionStatus() !== "I") throw error; // see inTransaction
        return client.query({ text, values: [...values] });
      }
    };
    const release = () => {
      client.off("error", onError);
      client.release(broken !== undefined || !isCurrent(client));
    };
    return { query, release } as unknown as PostgresPoolClient;
  }

  const prepared: PostgresPool = { connect, end: () => pool.end(), options: pool.options };
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
 * Calls a function of `migrations/functions` that answers one row: a prepared statement, one round trip,
 * and nothing of the query builder in between. For the paths where that is worth it. Arguments are named
 * as in the function, without their `p_`.
 */
export async function callFunction<Row extends object>(
  pool: Pool,
  name: string,
  args: Readonly<Record<string, unknown>>,
): Promise<Row> {
  const places = Object.keys(args).map((key, index) => `p_${key} => $${index + 1}`);
  const text = `select * from ${name}(${places.join(", ")})`;
  const { rows } = await pool.query<Row>({ name, text, values: Object.values(args) });
  return onlyRow(rows);
}

/** The same inside a transaction. An argument may be an expression. */
export async function callFunctionIn<Row extends object>(
  db: Db,
  functionName: string,
  args: Readonly<Record<string, unknown>>,
): Promise<Row> {
  const name = sql.ref(functionName);
  const places = Object.entries(args).map(
    ([key, value]) => sql`${sql.ref(`p_${key}`)} => ${value}`,
  );
  const { rows } = await sql<Row>`select * from ${name}(${sql.join(places)})`.execute(db);
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
 * Whether a statement was planned for tables as they no longer are: its result has other columns, a row
 * was on its way to the default partition when its month got one, or the prepared statement is not
 * there. It has changed nothing.
 */
function isStalePlan(error: unknown): boolean {
  if (!(error instanceof DatabaseError)) return false;
  // By the place it comes from: the codes are those of many errors, the texts are translated.
  return error.code === "26000" || staleRoutines.has(error.routine ?? "");
}

const staleRoutines = new Set(["RevalidateCachedQuery", "ExecPartitionCheckEmitError"]);

/**
 * Whether the connection is of no use after this error: it broke, the server ends it, or the server has
 * become a standby and would refuse every write. A statement that took too long is not among them.
 */
function isConnectionLost(error: unknown): boolean {
  return !(error instanceof DatabaseError) || /^(08|57P|25006)/.test(error.code ?? "");
}

/**
 * SQLSTATEs and classes of them: connection lost, out of resources, shutting down or starting up, a
 * transaction left idle, deadlock or conflict, system error; read-only while a standby takes over.
 */
const unavailableStates = /^(08|53|57P|58|25P03|40001|40P01|25006)/;
const unavailableCodes = new Set([
  ...["ECONNREFUSED", "ECONNRESET", "EPIPE", "ETIMEDOUT"],
  ...["EHOSTUNREACH", "ENETUNREACH", "ENOTFOUND", "EAI_AGAIN"],
]);
/** Messages of the driver and its pool, which have no code. */
const unavailableMessages =
  /^(timeout exceeded when trying to connect|timeout expired|Query read timeout|Connection terminated.*|Client (has encountered a connection error|was closed) and is not queryable)$/;

/**
 * Whether an error means that the database cannot do it at the moment: no free connection in time, the
 * connection lost, no answer in time, a server that is starting, stopping or full, or an account that
 * has just moved to another. The caller may try
 * again; whether a statement that was under way took effect is not known.
 */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (isTimeout(error) || isStalePlan(error) || error instanceof NoPermitFree) return true;
  if (isAccountMoved(error)) return true;
  const { code } = error as { code?: unknown };
  if (error instanceof DatabaseError) return unavailableStates.test(error.code ?? "");
  return unavailableCodes.has(String(code)) || unavailableMessages.test(error.message);
}

/**
 * The work may run twice: a plan that was stale inside a transaction ends it, and nothing of it stays.
 * What cannot be taken back belongs after the commit.
 */
export async function inTransaction<Result>(
  db: Db,
  work: (tx: Tx) => Promise<Result>,
): Promise<Result> {
  try {
    return await db.transaction().execute(work);
  } catch (error) {
    if (!isStalePlan(error)) throw error;
    return db.transaction().execute(work);
  }
}

export function isUniqueViolation(error: unknown): boolean {
  return error instanceof DatabaseError && error.code === "23505";
}
