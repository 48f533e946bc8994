import { readdir, readFile } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";
import { Client, DatabaseError } from "pg";
import { applyFunctions, functionsUsedBy, hashOf, readFunctions } from "./migrate-functions.ts";

const migrationsDir = new URL("../../migrations/", import.meta.url);
const lockKey = 7_263_001; // any number, as long as every version of this program uses the same
/** First line of a file whose statements run one by one, such as `create index concurrently`. */
const noTransaction = "-- no transaction";

const limits = {
  /**
   * Everybody who needs the table waits behind a statement that waits for its lock. Below PostgreSQL's
   * deadlock_timeout of 1 s: in a deadlock it is the migration that gives way.
   */
  lockMsMax: 800,
  retryFirstMs: 500,
  retryMsMax: 15_000,
};
const connectMsMax = 10_000;
const waitMsDefault = 10 * 60_000;

interface MigrateOptions {
  /** The maximum total time of all waits for locks. */
  waitMsMax?: number | undefined;
  /** Called with what the migration waits for. */
  onWait?(message: string): void;
  dir?: URL;
}

/** One run: the connection, and until when it may wait. */
interface Run {
  client: Client;
  until: number;
  onWait(message: string): void;
}

/**
 * Applies the migrations that this database has not seen, in order, each in its own transaction unless
 * its first line says otherwise, then the functions whose text has changed. Forward only: a migration that
 * changed after it was applied is refused. Two runs at once take turns. A lock is waited for only briefly
 * and tried again later, so that nobody waits long behind a migration, however long somebody reads.
 */
export async function migrate(ownerUrl: string, options: MigrateOptions = {}): Promise<string[]> {
  const { waitMsMax = waitMsDefault, onWait = () => {}, dir = migrationsDir } = options;
  const client = new Client({
    connectionString: ownerUrl,
    application_name: "zoetrope migrate",
    connectionTimeoutMillis: connectMsMax,
    keepAlive: true,
  });
  const run: Run = { client, until: Date.now() + waitMsMax, onWait };
  await client.connect();
  try {
    await client.query("set statement_timeout = 0"); // an index takes as long as it takes
    await client.query(`set lock_timeout = ${limits.lockMsMax}`);
    await retryLocks(run, "the lock of migrations", () =>
      client.query("select pg_advisory_lock($1)", [lockKey]),
    );
    for (const table of ["migrations", "functions"])
      await client.query(
        `create table if not exists ${table} (name text primary key, sha256 text not null, applied_at timestamptz not null default now())`,
      );
    const seen = await client.query<{ name: string; sha256: string }>(
      "select name, sha256 from migrations",
    );
    const applied = new Map(seen.rows.map((row) => [row.name, row.sha256]));
    const done: string[] = [];
    const functions = await readFunctions(new URL("functions/", dir));
    const replace = (some: typeof functions) =>
      retryLocks(run, "functions", async () => {
        done.push(...(await applyFunctions(client, some)));
      });
    const names = (await readdir(dir)).filter((name) => name.endsWith(".sql")).sort();
    for (const name of names) {
      const sql = await readFile(new URL(name, dir), "utf8");
      const sha256 = hashOf(sql);
      const before = applied.get(name);
      if (before === sha256) continue;
      if (before !== undefined)
        throw new Error(`${name} was changed after it was applied: add a new migration instead`);
      await replace(functionsUsedBy(sql, functions));
      if (sql.startsWith(noTransaction)) await applyOneByOne(run, name, sql, sha256);
      else await retryLocks(run, name, () => applyAtOnce(client, name, sql, sha256));
      done.push(name);
    }
    await replace(functions);
    return done;
  } finally {
    await client.end(); // also ends an open transaction and the lock
  }
}

async function applyAtOnce(client: Client, name: string, sql: string, sha256: string) {
  await client.query(`begin; ${sql}; `);
  await record(client, name, sha256);
  await client.query("commit");
}

/** Each statement may have been applied before, by a run that gave up after it. */
async function applyOneByOne(run: Run, name: string, sql: string, sha256: string) {
  const { client } = run;
  for (const statement of sql.split(/;\s*$/m).filter((text) => text.trim() !== "")) {
    // What is done concurrently waits for old transactions, and nobody waits behind it.
    const isConcurrent = /\bconcurrently\b/i.test(statement);
    await retryLocks(run, name, async () => {
      const lockMsMax = isConcurrent ? Math.max(run.until - Date.now(), 1) : limits.lockMsMax;
      await client.query(`set lock_timeout = ${lockMsMax}`);
      await client.query(statement);
    });
  }
  await client.query(`set lock_timeout = ${limits.lockMsMax}`);
  await record(client, name, sha256);
}

async function record(client: Client, name: string, sha256: string): Promise<void> {
  await client.query("insert into migrations (name, sha256) values ($1, $2)", [name, sha256]);
}

async function retryLocks(
  run: Run,
  name: string,
  work: () => Promise<unknown>,
  waitMs = limits.retryFirstMs,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    const isLocked = error instanceof DatabaseError && /^(55P03|40P01)$/.test(error.code ?? "");
    if (!isLocked) throw error;
    await run.client.query("rollback");
    const others = await describeTransactions(run.client);
    if (Date.now() + waitMs > run.until)
      throw new Error(
        `${name} is not applied: a lock that it needs was not free in time. Open transactions: ${others}. Wait for them or end them, and migrate again.`,
        { cause: error },
      );
    run.onWait(`${name} waits for a lock. Open transactions: ${others}`);
    await pause(waitMs);
    await retryLocks(run, name, work, Math.min(2 * waitMs, limits.retryMsMax));
  }
}

/**
 * Describes the transactions that may hold the lock, the oldest first; without the queries, which contain
 * data.
 */
async function describeTransactions(client: Client): Promise<string> {
  const { rows } = await client.query<{ text: string }>(`
    select format('process %s (%s) for %s s', pid, coalesce(nullif(application_name, ''), usename),
                  round(extract(epoch from now() - xact_start))) as text
    from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and xact_start is not null
    order by xact_start limit 5`);
  return rows.map(({ text }) => text).join(", ") || "none any more";
}
