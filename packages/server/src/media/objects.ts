import { sql } from "kysely";
import type { Db } from "../db/database.ts";
import { inMs } from "../db/in-ms.ts";
import { newObjectKey, type ObjectFacts, type Storage } from "./storage.ts";

/** How long an object is kept that nobody has claimed: its worker may have died. */
const unclaimedMs = 24 * 60 * 60 * 1000;

/**
 * Stores a local file as a new object. It is written down first, so that a crash leaves nothing that
 * nobody knows of; it goes away again unless `keepObject` claims it.
 */
export async function storeFile(
  world: { db: Db; storage: Storage },
  path: string,
  extension: string,
  facts: ObjectFacts,
): Promise<string> {
  const key = newObjectKey(extension);
  await world.db
    .insertInto("media_objects")
    .values({ key, expires_at: inMs(unclaimedMs) })
    .execute();
  await world.storage.putFile(key, path, facts);
  return key;
}

/** Writes down objects that others are about to store; they go away again after so long. */
export async function announceObjects(db: Db, keys: string[], forMs: number): Promise<void> {
  await sql`insert into media_objects (key, expires_at)
    select unnest(${keys}::text[]), ${inMs(forMs)}`.execute(db);
}

/** Keeps several objects for so long from now. */
export async function keepObjects(db: Db, keys: string[], forMs: number): Promise<void> {
  await sql`update media_objects set expires_at = ${inMs(forMs)}
    where key = any(${keys}::text[])`.execute(db);
}

/** Keeps an object for so long, or for good. */
export async function keepObject(db: Db, key: string, forMs: number | null): Promise<void> {
  await db
    .updateTable("media_objects")
    .set({ expires_at: forMs === null ? null : inMs(forMs) })
    .where("key", "=", key)
    .execute();
}

/** Removes an object now, and every trace of it. */
export async function dropObject(world: { db: Db; storage: Storage }, key: string): Promise<void> {
  await world.storage.remove(key);
  await world.db.deleteFrom("media_objects").where("key", "=", key).execute();
}

/** Removes what has outlived its time; says how many objects that were. */
export async function collectObjects(
  world: { db: Db; storage: Storage },
  rowsMax: number,
): Promise<number> {
  const expired = await world.db
    .selectFrom("media_objects")
    .select("key")
    .where("expires_at", "<=", sql<Date>`now()`)
    .orderBy("expires_at")
    .limit(rowsMax)
    .execute();
  for (const { key } of expired) await dropObject(world, key);
  return expired.length;
}
