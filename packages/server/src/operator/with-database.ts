import type { Pool } from "pg";
import { readEnvironment, settings } from "../config.ts";
import { type Db, openDatabase, openPool } from "../db/database.ts";
import { fail, type Report } from "./command.ts";

export function databaseUrl({ name }: { name: string }): string {
  return readEnvironment()[name] ?? fail(`Set ${name} to a PostgreSQL URL.`);
}

export async function withDatabase(work: (db: Db, pool: Pool) => Promise<Report>): Promise<Report> {
  const pool = openPool(databaseUrl(settings.database.url), 2, "zoetrope operator");
  const db = openDatabase(pool);
  try {
    return await work(db, pool);
  } finally {
    await db.destroy();
  }
}
