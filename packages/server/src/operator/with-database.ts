import type { Pool } from "pg";
import { readConfig, readEnvironment, settings } from "../config.ts";
import { type Db, openDatabase, openPool } from "../db/database.ts";
import { openStorage } from "../media/storage/open-storage.ts";
import type { Storage } from "../media/storage/storage.ts";
import { fail, type Report } from "./command.ts";

export function databaseUrl({ name }: { name: string }): string {
  return readEnvironment()[name] ?? fail(`Set ${name} to a PostgreSQL URL.`);
}

export async function withDatabase(
  work: (db: Db, pool: Pool) => Promise<Report>,
  url: { name: string } = settings.database.url,
): Promise<Report> {
  const pool = openPool(databaseUrl(url), 2, "zoetrope operator");
  const db = openDatabase(pool);
  try {
    return await work(db, pool);
  } finally {
    await db.destroy();
  }
}

/** With the storage of a worker, whose settings are read. */
export async function withStorage(
  url: { name: string },
  work: (world: { db: Db; storage: Storage }) => Promise<Report>,
): Promise<Report> {
  const storage = openStorage(readConfig(readEnvironment()));
  try {
    await storage.check(); // before anything is changed
    return await withDatabase((db) => work({ db, storage }), url);
  } finally {
    await storage.close();
  }
}
