import { sql } from "kysely";
import type { DirectoryDb, DirectoryTx } from "../db/database.ts";

/** The SQL of switches. */

/** One for each model, and the banner. */
const rowsMax = 200;

export async function listSwitches(db: DirectoryDb) {
  return db
    .selectFrom("switches")
    .select(["name", "value", "changed_at as changedAt"])
    .orderBy("name")
    .limit(rowsMax)
    .execute();
}

/** The value before, if there was one. Nobody else changes it until the transaction ends. */
export async function lockSwitch(tx: DirectoryTx, name: string): Promise<unknown> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`switch ${name}`}, 0))`.execute(tx);
  const row = await tx
    .selectFrom("switches")
    .select("value")
    .where("name", "=", name)
    .executeTakeFirst();
  return row?.value;
}

export async function putSwitch(tx: DirectoryTx, name: string, value: unknown): Promise<void> {
  const written = { value: JSON.stringify(value), changed_at: sql<Date>`now()` };
  await tx
    .insertInto("switches")
    .values({ name, ...written })
    .onConflict((conflict) => conflict.column("name").doUpdateSet(written))
    .execute();
}

export async function deleteSwitch(tx: DirectoryTx, name: string): Promise<void> {
  await tx.deleteFrom("switches").where("name", "=", name).execute();
}
