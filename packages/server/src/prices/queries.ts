import { sql } from "kysely";
import type { DirectoryDb } from "../db/database.ts";

/** The SQL of price books. */

/** Every published version without its document, and the time of the database. */
export async function listVersions(db: DirectoryDb) {
  const { rows } = await sql<{
    now: Date;
    versions: { book: string; version: number; validFrom: string }[];
  }>`select clock_timestamp() as now, coalesce((
       select json_agg(json_build_object('book', book, 'version', version, 'validFrom', valid_from)
                       order by book, version) from price_versions), '[]') as versions`.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error("a query without a table has one row");
  return row;
}

export async function readDocument(db: DirectoryDb, book: string, version: number) {
  const row = await db
    .selectFrom("price_versions")
    .select("document")
    .where("book", "=", book)
    .where("version", "=", version)
    .executeTakeFirst();
  return row?.document;
}
