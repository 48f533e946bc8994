import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { type Client, DatabaseError } from "pg";

/** The text of a file of `migrations/functions/`: `create or replace` of the function it is named after, and its grants. */
interface SqlFunction {
  name: string;
  sql: string;
  sha256: string;
}

/** Functions by name. */
export type SqlFunctions = ReadonlyMap<string, SqlFunction>;

export function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

export async function readFunctions(dir: URL): Promise<SqlFunctions> {
  const files = await readdir(dir).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw error;
  });
  const functions = new Map<string, SqlFunction>();
  for (const file of files.filter((entry) => entry.endsWith(".sql")).sort()) {
    const sql = await readFile(new URL(file, dir), "utf8");
    const name = file.slice(0, -".sql".length);
    functions.set(name, { name, sql, sha256: hashOf(sql) });
  }
  return functions;
}

/** The functions that a migration's first line names: those that its triggers, indexes and statements use. */
export function functionsUsedBy(migration: string, functions: SqlFunctions): SqlFunctions {
  const names = /^-- functions: (.+)\n/.exec(migration)?.[1]?.split(", ") ?? [];
  return new Map(
    names.map((name) => {
      const used = functions.get(name);
      if (used === undefined) throw new Error(`there is no file functions/${name}.sql`);
      return [name, used];
    }),
  );
}

/**
 * Applies the functions whose text differs from the database, all in one transaction. Returns their
 * files. A function whose file is gone stays, because the release before may call it: a migration drops it
 * later.
 */
export async function applyFunctions(client: Client, functions: SqlFunctions): Promise<string[]> {
  await client.query("begin");
  const { rows } = await client.query<{ name: string; sha256: string }>(
    "select name, sha256 from functions where to_regproc(name) is not null",
  );
  const applied = new Map(rows.map(({ name, sha256 }) => [name, sha256]));
  const changed = [...functions.values()].filter(
    ({ name, sha256 }) => applied.get(name) !== sha256,
  );
  for (const each of changed) await applyFunction(client, each);
  await client.query("commit");
  return changed.map(({ name }) => `functions/${name}.sql`);
}

async function applyFunction(client: Client, { name, sql, sha256 }: SqlFunction): Promise<void> {
  const before = await listSignatures(client, name);
  await client.query("savepoint before_function");
  try {
    await client.query(sql);
  } catch (error) {
    // Names of arguments and results cannot be replaced.
    if (!(error instanceof DatabaseError && error.code === "42P13")) throw error;
    await client.query("rollback to savepoint before_function");
    await dropFunctions(client, before);
    await client.query(sql);
  }
  const after = await listSignatures(client, name);
  // Other types of arguments make a second function.
  if (after.length > 1)
    await dropFunctions(
      client,
      before.filter((signature) => after.includes(signature)),
    );
  if ((await listSignatures(client, name)).length !== 1)
    throw new Error(`functions/${name}.sql does not create exactly one function ${name}`);
  await client.query(
    `insert into functions (name, sha256) values ($1, $2)
     on conflict (name) do update set sha256 = excluded.sha256, applied_at = now()`,
    [name, sha256],
  );
}

async function listSignatures(client: Client, name: string): Promise<string[]> {
  const { rows } = await client.query<{ signature: string }>(
    `select oid::regprocedure::text as signature from pg_proc
     where pronamespace = 'public'::regnamespace and proname = $1`,
    [name],
  );
  return rows.map(({ signature }) => signature);
}

async function dropFunctions(client: Client, signatures: readonly string[]): Promise<void> {
  for (const signature of signatures) await client.query(`drop function ${signature}`);
}
