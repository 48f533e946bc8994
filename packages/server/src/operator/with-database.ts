import type { Pool } from "pg";
import { readEnvironment } from "../config.ts";
import { type Db, openDatabase, openPool } from "../db/database.ts";
import { fail, type Report } from "./command.ts";

export function databaseUrl(name: "DATABASE_URL" | "DATABASE_OWNER_URL"): string {
  return readEnvironment()[name] ?? fail(`Set ${name} to a PostgreSQL URL.`);
}

export async function withDatabase(work: (db: Db, pool: Pool) => Promise<Report>): Promise<Report> {
  const pool = openPool(databaseUrl("DATABASE_URL"), 2, "zoetrope operator");
  const db = openDatabase(pool);
  try {
    return await work(db, pool);
  } finally {
    await db.destroy();
  }
}
