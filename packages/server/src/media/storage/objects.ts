import { sql } from "kysely";
import type { Db } from "../../db/database.ts";
import { inMs } from "../../db/in-ms.ts";
import { forgetFailures, isNotStuck } from "../../db/stuck-rows.ts";
import { eachRow } from "../../flow/each-row.ts";
import type { TaskId } from "../../ids.ts";
import type { Log } from "../../log.ts";
import { newObjectKey, type ObjectFacts, type Storage } from "./storage.ts";

/** The time for which an unclaimed object is kept: its worker may have died. */
const unclaimedMs = 24 * 60 * 60 * 1000;

/**
 * Stores a local file as a new object. It is recorded first, so that a crash leaves no unknown object;
 * it is collected unless `keepObject` claims it.
 */
export async function storeFile(
  ctx: { db: Db; storage: Storage },
  path: string,
  extension: string,
  facts: ObjectFacts,
  key = newObjectKey(extension),
): Promise<string> {
  await ctx.db
    .insertInto("media_objects")
    .values({ key, expires_at: inMs(unclaimedMs) })
    .execute();
  await ctx.storage.putFile(key, path, facts);
  return key;
}

/** Records objects that will be stored by others; they are collected after this time. */
export async function announceObjects(db: Db, keys: string[], forMs: number): Promise<void> {
  await sql`insert into media_objects (key, expires_at)
    select unnest(${keys}::text[]), ${inMs(forMs)}`.execute(db);
}

/** The keys of which there is no record. */
export async function findUnrecorded(db: Db, keys: string[]): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`
    select key from unnest(${keys}::text[]) as stored (key)
    where not exists (select from media_objects m where m.key = stored.key)`.execute(db);
  return rows.map(({ key }) => key);
}

/** Keeps objects for this long from now. */
export async function keepObjects(db: Db, keys: string[], forMs: number): Promise<void> {
  await sql`update media_objects set expires_at = ${inMs(forMs)}
    where key = any(${keys}::text[])`.execute(db);
}

/** Keeps an object for this long, or forever. */
export async function keepObject(db: Db, key: string, forMs: number | null): Promise<void> {
  await db
    .updateTable("media_objects")
    .set({ expires_at: forMs === null ? null : inMs(forMs) })
    .where("key", "=", key)
    .execute();
}

/** Keeps the output of a task and its poster for this long, and records whose output it is. */
export async function keepOutput(
  db: Db,
  taskId: TaskId,
  output: { key: string; poster?: { key: string } | null },
  forMs: number,
): Promise<void> {
  const keys = output.poster ? [output.key, output.poster.key] : [output.key];
  await sql`update media_objects set expires_at = ${inMs(forMs)},
      task_id = case when key = ${output.key} then ${taskId}::uuid end
    where key = any(${keys}::text[])`.execute(db);
}

/** Keeps objects until this time at least, as long as an open task may need them. */
export async function keepObjectsUntil(db: Db, keys: string[], neededUntil: Date): Promise<void> {
  if (keys.length === 0) return;
  await sql`update media_objects set expires_at = greatest(expires_at, ${neededUntil}::timestamptz)
    where key = any(${keys}::text[]) and expires_at > now()`.execute(db);
}

/** Expires an object: now, or when it is no longer needed. */
export async function expireObject(db: Db, key: string, neededUntil: Date | null): Promise<void> {
  await db
    .updateTable("media_objects")
    .set({ expires_at: sql<Date>`greatest(now(), ${neededUntil}::timestamptz)` })
    .where("key", "=", key)
    .execute();
}

/** Deletes an object and its record now. */
export async function dropObject(ctx: { db: Db; storage: Storage }, key: string): Promise<void> {
  await ctx.storage.remove(key);
  await forgetObject(ctx.db, key);
}

/** Deletes many objects, and records those that cannot be deleted. */
export async function dropObjects(
  ctx: { db: Db; storage: Storage },
  keys: readonly string[],
): Promise<void> {
  for (let at = 0; at < keys.length; at += removesAtOnceMax)
    await Promise.all(keys.slice(at, at + removesAtOnceMax).map((key) => ctx.storage.remove(key)));
  await sql`delete from media_objects where key = any(${[...keys]}::text[])`.execute(ctx.db);
  await forgetFailures(ctx.db, collectLoop, keys);
}

export const collectLoop = "collect objects";
const removesAtOnceMax = 16;
const removeMsMax = 30_000;
/** An object that was taken but not deleted is due again after this time. */
const takenMs = 60_000;

/**
 * Deletes expired objects in batches until none is left or `until` is aborted; returns their number.
 * Workers share the rows. An object that cannot be deleted does not stop the others.
 */
export async function collectObjects(
  ctx: { db: Db; storage: Storage; log: Log },
  rowsMax: number,
  until?: AbortSignal,
): Promise<number> {
  const options = {
    loop: collectLoop,
    keyOf: (key: string) => key,
    atOnceMax: removesAtOnceMax,
    rowMsMax: removeMsMax,
  };
  let collected = 0;
  for (;;) {
    const keys = await takeExpired(ctx.db, rowsMax);
    const removed = await eachRow(ctx, keys, options, (key) => ctx.storage.remove(key), until);
    await sql`delete from media_objects where key = any(${removed}::text[])`.execute(ctx.db);
    collected += removed.length;
    if (until?.aborted || keys.length < rowsMax || removed.length === 0) return collected;
  }
}

/** Expired objects; taking one postpones it, so that other workers skip it. */
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

/** Deletes the record of an object that may still be in the storage. */
export async function forgetObject(db: Db, key: string): Promise<void> {
  await db.deleteFrom("media_objects").where("key", "=", key).execute();
}
