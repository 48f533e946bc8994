import { sql } from "kysely";
import type { DirectoryDb } from "../db/database.ts";
import type { PersonId } from "../ids.ts";

/** The names of people by their ids, as texts; ids of nobody are passed over. */
export async function listNames(
  db: DirectoryDb,
  ids: readonly string[],
): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom("people")
    .select(["id", "name"])
    .where("id", "=", sql<PersonId>`any (${[...ids]}::uuid[])`)
    .execute();
  return new Map(rows.map(({ id, name }) => [id, name]));
}
