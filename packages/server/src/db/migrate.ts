import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { Client } from "pg";

const migrationsDir = new URL("../../migrations/", import.meta.url);
const lockKey = 7_263_001; // any number, as long as every version of this program uses the same

/**
 * Applies the migrations that this database has not seen, in order, each in its own transaction.
 * Forward only: a file that changed after it was applied is refused. Two runs at once take turns.
 */
export async function migrate(ownerUrl: string): Promise<string[]> {
  const client = new Client({ connectionString: ownerUrl });
  await client.connect();
  try {
    await client.query("select pg_advisory_lock($1)", [lockKey]);
    await client.query(
      "create table if not exists migrations (name text primary key, sha256 text not null, applied_at timestamptz not null default now())",
    );
    const seen = await client.query<{ name: string; sha256: string }>(
      "select name, sha256 from migrations",
    );
    const applied = new Map(seen.rows.map((row) => [row.name, row.sha256]));
    const done: string[] = [];
    const names = (await readdir(migrationsDir)).filter((name) => name.endsWith(".sql")).sort();
    for (const name of names) {
      const sql = await readFile(new URL(name, migrationsDir), "utf8");
      const sha256 = createHash("sha256").update(sql).digest("hex");
      const before = applied.get(name);
      if (before === sha256) continue;
      if (before !== undefined)
        throw new Error(`${name} was changed after it was applied: add a new migration instead`);
      await client.query(`begin; ${sql}; `);
      await client.query("insert into migrations (name, sha256) values ($1, $2)", [name, sha256]);
      await client.query("commit");
      done.push(name);
    }
    return done;
  } finally {
    await client.end(); // also ends an open transaction and the lock
  }
}
