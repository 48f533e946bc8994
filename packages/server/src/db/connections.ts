import assert from "node:assert";
import {
  DatabaseError,
  Pool,
  type PoolClient,
  type QueryResult,
  type QueryResultRow,
  types,
} from "pg";
import type { Database, ShardTables } from "./schema.ts";
import { connectionOptions, statementMsMax, timeouts } from "./session-settings.ts";

export interface Statement {
  text: string;
  values?: unknown[];
  /** A connection plans a statement with a name once. Another text needs another name. */
  name?: string | undefined;
  /**
   * The time after which a connection without a response is ended. Default: two seconds after the server's
   * limit.
   */
  answerMsMax?: number;
}

interface Queries {
  query<Row extends QueryResultRow = Record<string, unknown>>(
    statement: Statement | string,
    values?: unknown[],
  ): Promise<QueryResult<Row>>;
}

/** A connection that its holder has alone until it is released. */
export interface Connection extends Queries {
  /** `isBroken`: the connection is ended, also under a statement. */
  release(isBroken?: boolean): void;
}

/**
 * The connections to a database. A statement or a holder waits at most `connectMsMax` for one. `Tables` are
 * the tables that they are used for: statements are text, and the compiler cannot read them there.
 */
export interface Connections<Tables = ShardTables> extends Queries {
  /** Exists for the compiler alone: it distinguishes connections to the two kinds of databases. */
  readonly tables?: Tables;
  connect(): Promise<Connection>;
  readonly connectionsMax: number;
  readonly connectMsMax: number;
  /**
   * Returns the number of connections in use and idle, of callers that wait for one, and of acquisitions so
   * far.
   */
  usage(): { used: number; idle: number; waiting: number; taken: number };
  /** Takes a connection only after `enter` from now on, and calls its result when that is released. */
  limit(enter: () => Promise<() => void>): void;
  end(): Promise<void>;
}

/** The error that the database gave no connection, gave no response in time, or lost the connection. */
export class DatabaseUnavailable extends Error {
  override name = "DatabaseUnavailable";
}

/** A statement was planned for tables as they no longer are. It has changed nothing. */
export class StalePlan extends Error {
  override name = "StalePlan";
}

const int8 = 20;
const connectMsMax = 5_000;
/** The default time limit, above the server's own: only a server that does not respond at all reaches it. */
const answerMsMaxUsual = statementMsMax + 2_000;
/** A peer that vanished without closing is noticed although nothing is sent. */
const keepAliveAfterMs = 10_000;

function readInteger(text: string): number {
  const value = Number(text);
  assert(Number.isSafeInteger(value), "a bigint value exceeds the range of safe integers");
  return value;
}

/**
 * Opens a pool of connections. `isPooled`: the address is that of a pooler, which runs each transaction on
 * any of its connections. Session state is then not available: the pooler supplies the settings, and there
 * are no named statements.
 */
export function openConnections(
  url: string,
  connectionsMax: number,
  name: string,
  isPooled = false,
): Connections<Database> {
  const pool = new Pool({
    connectionString: url,
    max: connectionsMax,
    application_name: name,
    connectionTimeoutMillis: connectMsMax,
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
  const clients = watchClients(pool);
  let enter: (() => Promise<() => void>) | undefined;
  let taken = 0;

  async function connect(): Promise<Connection> {
    const leave = await enter?.();
    const client = await takeClient(pool, clients).catch((error: unknown) => {
      leave?.();
      throw error;
    });
    taken += 1;
    return {
      query(given, values) {
        const statement = typeof given === "string" ? { text: given, values: values ?? [] } : given;
        return send(clients, client, isPooled ? withoutName(statement) : statement);
      },
      release(isBroken = false) {
        if (isBroken) clients.giveUp(client, new DatabaseUnavailable("the connection was ended"));
        client.release(!clients.isUsable(client));
        leave?.();
      },
    };
  }

  return {
    connect,
    connectionsMax,
    connectMsMax,
    // A statement that the server refused leaves its connection as it was, with its plans: it is used again.
    async query(statement, values) {
      const connection = await connect();
      try {
        return await connection.query(statement, values);
      } finally {
        connection.release();
      }
    },
    usage: () => ({
      used: pool.totalCount - pool.idleCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount,
      taken,
    }),
    limit(newEnter) {
      enter = newEnter;
    },
    end: () => pool.end(),
  };
}

/** The state of each connection of a pool. */
interface Clients {
  isUsable(client: PoolClient): boolean;
  /**
   * Returns the reason why the connection is not used again: it broke, was ended by us, or its state is not
   * known.
   */
  faultOf(client: PoolClient): unknown;
  giveUp(client: PoolClient, fault: unknown): void;
  /** A plan of this connection was stale: those that are as old have more of them. */
  outdate(client: PoolClient): void;
}

function watchClients(pool: Pool): Clients {
  const faults = new WeakMap<PoolClient, unknown>();
  const generations = new WeakMap<PoolClient, number>();
  let generation = 0;
  const giveUp = (client: PoolClient, fault: unknown) => {
    if (!faults.has(client)) faults.set(client, fault); // the first explains the others
  };
  const isCurrent = (client: PoolClient) => generations.get(client) === generation;
  pool.on("connect", (client) => {
    generations.set(client, generation);
    client.on("error", (cause) => {
      giveUp(client, new DatabaseUnavailable(`the connection broke: ${cause.message}`, { cause }));
    });
  });
  return {
    giveUp,
    isUsable: (client) => !faults.has(client) && isCurrent(client),
    faultOf: (client) => faults.get(client),
    outdate(client) {
      if (isCurrent(client)) generation += 1;
    },
  };
}

async function takeClient(pool: Pool, clients: Clients): Promise<PoolClient> {
  const client = await pool.connect().catch((cause: Error) => {
    if (cause instanceof DatabaseError || pool.ending) throw cause;
    throw new DatabaseUnavailable(`no connection: ${cause.message}`, { cause });
  });
  if (clients.isUsable(client)) return client;
  client.release(true);
  return takeClient(pool, clients);
}

/**
 * A column added to a table makes the plans of statements that read all its columns stale, on every
 * connection that has one, for as long as it lives. Such a statement has done nothing: outside of a
 * transaction it is sent again without a name, so that no plan is looked up.
 */
async function send<Row extends QueryResultRow>(
  clients: Clients,
  client: PoolClient,
  statement: Statement,
): Promise<QueryResult<Row>> {
  try {
    return await sendOnce<Row>(clients, client, statement);
  } catch (error) {
    if (!(error instanceof StalePlan) || client.getTransactionStatus() !== "I") throw error;
    return sendOnce<Row>(clients, client, withoutName(statement));
  }
}

function withoutName({ name, ...statement }: Statement): Statement {
  return statement;
}

async function sendOnce<Row extends QueryResultRow>(
  clients: Clients,
  client: PoolClient,
  { answerMsMax = answerMsMaxUsual, ...statement }: Statement,
): Promise<QueryResult<Row>> {
  const before = clients.faultOf(client);
  if (before !== undefined) throw before; // a rollback, to a server that does not respond
  const timer = setTimeout(() => {
    clients.giveUp(client, new DatabaseUnavailable(`no answer within ${answerMsMax} ms`));
    void client.end(); // its statement fails at once
  }, answerMsMax);
  try {
    return await client.query<Row>(statement);
  } catch (error) {
    if (!(error instanceof DatabaseError)) {
      clients.giveUp(client, error);
      throw clients.faultOf(client);
    }
    if (isGoodbye(error)) clients.giveUp(client, error);
    if (!isStale(error, statement)) throw error;
    clients.outdate(client);
    throw new StalePlan(error.message, { cause: error });
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Whether the server says that the connection is of no use any more: it ends it, or it has become a standby
 * and would refuse every write. A statement that took too long is not among them.
 */
function isGoodbye({ code }: DatabaseError): boolean {
  return /^(08|57P|25006)/.test(code ?? "");
}

/**
 * Whether a statement that has changed nothing would be planned otherwise now: its result has other columns
 * or its name is not there, which only a prepared one can meet; or a row was on its way to the default
 * partition when its month got one, an error that names the table and no constraint of it.
 */
function isStale(error: unknown, { name }: Statement): error is DatabaseError {
  if (!(error instanceof DatabaseError)) return false;
  const { code, table, constraint } = error;
  if (code === "23514") return table !== undefined && constraint === undefined;
  return name !== undefined && (code === "0A000" || code === "26000");
}
