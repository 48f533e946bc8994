import { sql } from "kysely";
import type { Db } from "../../db/database.ts";
import { eachRow } from "../../db/each-row.ts";
import { inMs } from "../../db/in-ms.ts";
import { isNotStuck } from "../../db/stuck-rows.ts";
import type { Log } from "../../log.ts";
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
  key = newObjectKey(extension),
): Promise<string> {
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

/** Ends an object's time: now, or when it is not needed any more. */
export async function expireObject(db: Db, key: string, neededUntil: Date | null): Promise<void> {
  await db
    .updateTable("media_objects")
    .set({ expires_at: sql<Date>`greatest(now(), ${neededUntil}::timestamptz)` })
    .where("key", "=", key)
    .execute();
}

/** Removes an object now, and every trace of it. */
export async function dropObject(world: { db: Db; storage: Storage }, key: string): Promise<void> {
  await world.storage.remove(key);
  await forgetObject(world.db, key);
}

export const collectLoop = "collect objects";
const removesAtOnceMax = 16;
const removeMsMax = 30_000;
/** An object that was taken and not removed comes again after this long. */
const takenMs = 60_000;

/**
 * Removes what has outlived its time, batch after batch until nothing is left or `until` says so; says
 * how many objects that were. Workers share the rows. One object that cannot be removed stops no other.
 */
export async function collectObjects(
  world: { db: Db; storage: Storage; log: Log },
  rowsMax: number,
  until?: AbortSignal,
): Promise<number> {
  const how = {
    loop: collectLoop,
    keyOf: (key: string) => key,
    atOnceMax: removesAtOnceMax,
    rowMsMax: removeMsMax,
  };
  let collected = 0;
  for (;;) {
    const keys = await takeExpired(world.db, rowsMax);
    const removed = await eachRow(world, keys, how, (key) => world.storage.remove(key), until);
    await sql`delete from media_objects where key = any(${removed}::text[])`.execute(world.db);
    collected += removed.length;
    if (until?.aborted || keys.length < rowsMax || removed.length === 0) return collected;
  }
}

/** Objects that are to go; taking one moves its time on, so that others leave it alone. */
async function takeExpired(db: Db, rowsMax: number): Promise<string[]> {
  const rows = await db
    .updateTable("media_objects")
    .set({ expires_at: inMs(takenMs) })
    .where("key", "in", (eb) =>
      eb
        .selectFrom("media_objects")
        .select("key")
        .where("expires_at", "<=", sql<Date>`now()`)
        .where(isNotStuck(collectLoop, sql.ref("media_objects.key")))
        .orderBy("expires_at")
        .limit(rowsMax)
        .forUpdate()
        .skipLocked(),
    )
    .returning("key")
    .execute();
  return rows.map(({ key }) => key);
}

/** Forgets an object that may still be in the storage. */
export async function forgetObject(db: Db, key: string): Promise<void> {
  await db.deleteFrom("media_objects").where("key", "=", key).execute();
}
