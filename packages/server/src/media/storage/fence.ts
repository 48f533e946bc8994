import { z } from "zod";
import type { Connections } from "../../db/connections.ts";
import { callFunction } from "../../db/database.ts";
import { onlyRow } from "../../db/only-row.ts";
import { createOutage, type Log } from "../../log.ts";
import type { Storage } from "./storage.ts";

/** A loss of less than this is not noticed. */
export const fenceEveryMs = 5_000;
/** The time for which a result of `isBehind` is reused. Claims do not rely on it. */
const rememberMs = 1_000;
/** Further than any process can have counted without noting it. */
const leap = 1_000_000;

const mark = z.object({ position: z.int().min(0), at: z.iso.datetime() });
type Mark = z.infer<typeof mark>;

/**
 * Notices that the database is older than the world, as after a restore. Workers count a position up in
 * the database and then note it in storage, which is not restored with it; each keeps the highest that it
 * has seen. A claim names it, and a database that is behind it grants none.
 */
export interface Fence {
  /** The highest position that this process has seen. Throws until storage could be read once. */
  known(): Promise<number>;
  /** Counts on and notes it, if no other worker has done so lately. Notices a database that is behind. */
  keep(): Promise<void>;
  /**
   * Whether nothing may be submitted and no task ended, as it was at most a second ago: the database is
   * behind, or this process has not been able to read how far the world is.
   */
  isBehind(): Promise<boolean>;
  /** Whether the database is behind, as last seen by `keep` or `isBehind`, without asking. */
  wasBehind(): boolean;
  /** Returns the reason why nothing is submitted, or null. An unreachable storage is reported as such. */
  fault(): string | null;
}

interface FenceContext {
  pool: Connections;
  storage: Storage;
  log: Log;
  shard: number;
}

export function createFence({ pool, storage, log, shard }: FenceContext): Fence {
  let seen: Mark | null = null;
  let wasBehind = false;
  let damage: string | null = null;
  const unread = createOutage(log, { failed: "fence.unread", over: "fence.read", level: "warn" });
  const unwritten = createOutage(log, {
    failed: "fence.unwritten",
    over: "fence.written",
    level: "warn",
  });
  let asked: { at: number; answer: Promise<boolean> } | undefined;

  function see(other: Mark): void {
    if (seen === null || other.position > seen.position) seen = other;
  }

  async function known(): Promise<number> {
    if (seen === null) see(await read());
    return seen?.position ?? 0;
  }

  /** Reads the mark that another worker may have written. */
  async function read(): Promise<Mark> {
    try {
      const noted = (await readMark(storage, shard)) ?? first;
      damage = null;
      unread.end();
      return noted;
    } catch (error) {
      damage = error instanceof DamagedMark ? error.message : null;
      unread.note(error);
      throw error;
    }
  }

  async function look(): Promise<boolean> {
    try {
      await known();
    } catch {
      return true; // a later position may be noted
    }
    const { rows } = await pool.query<{ position: number; at: Date; is_behind: boolean }>({
      name: "look at the fence",
      text: `select position, advanced_at as at, behind_since is not null as is_behind
             from fence where is_only`,
    });
    const { position, at, is_behind: isMarked } = onlyRow(rows);
    return note(isMarked || position < (seen?.position ?? 0), position, at);
  }

  function note(isBehind: boolean, position: number, at: Date): boolean {
    if (isBehind && !wasBehind) {
      const message = `${describeBehind(position, at, seen)} Nothing is submitted. Stop api and workers and run 'operator reconcile': docs/backup.md.`;
      log.error({ event: "fence.behind", position, known: seen?.position, message });
    }
    if (!isBehind && wasBehind) log.info({ event: "fence.open", position });
    wasBehind = isBehind;
    return isBehind;
  }

  return {
    known,
    wasBehind: () => wasBehind,
    fault: () => (wasBehind ? "the database is behind" : damage),
    async keep() {
      if (seen === null)
        await storage.check(); // makes a folder that is not there yet
      else await readAgain();
      const highest = await known();
      const args = { known: highest, every_ms: fenceEveryMs };
      const row = await callFunction(pool, "advance_fence", args);
      if (note(row.is_behind, row.position, row.advanced_at)) return;
      const current = { position: row.position, at: row.advanced_at.toISOString() };
      see(current);
      if (row.has_advanced) await write(current);
    },
    isBehind() {
      if (asked === undefined || performance.now() - asked.at > rememberMs)
        asked = { at: performance.now(), answer: look() };
      return asked.answer;
    },
  };

  /** Reads the mark again. While storage is unreachable, this process's memory is enough. */
  async function readAgain(): Promise<void> {
    await read().then(see, () => {});
  }

  async function write(current: Mark): Promise<void> {
    await writeMark(storage, shard, current).then(unwritten.end, unwritten.note);
  }
}

/** The mark of a deployment that starts for the first time. */
const first: Mark = { position: 0, at: new Date(0).toISOString() };

/** The name of the note in storage that has a shard's mark. */
export function fenceNoteOf(shard: number): string {
  return `fence-${shard}`;
}

async function readMark(storage: Storage, shard: number): Promise<Mark | null> {
  const text = await storage.readNote(fenceNoteOf(shard));
  if (text === null) return null;
  try {
    return mark.parse(JSON.parse(text));
  } catch {
    throw new DamagedMark(`the note ${fenceNoteOf(shard)} in storage is damaged`);
  }
}

class DamagedMark extends Error {}

/** Reads the mark for a caller that replaces it: null if it is missing or damaged. */
async function readMarkOrDamage(storage: Storage, shard: number): Promise<Mark | null> {
  try {
    return await readMark(storage, shard);
  } catch (error) {
    if (error instanceof DamagedMark) return null;
    throw error;
  }
}

function writeMark(storage: Storage, shard: number, current: Mark): Promise<void> {
  return storage.writeNote(fenceNoteOf(shard), JSON.stringify(current));
}

function describeBehind(position: number, at: Date, seen: Mark | null): string {
  if (seen === null || position >= seen.position)
    return "The database was restored and not reconciled.";
  const seconds = Math.max(0, Math.round((Date.parse(seen.at) - at.getTime()) / 1000));
  return `The database is older than storage by ${seconds} s.`;
}

interface Reconciled {
  pool: Connections;
  storage: Storage;
  config: { database: { shard: number } };
}

/** Returns the reason why nothing may be submitted from this database, or null. */
export async function readFence({ pool, storage, config }: Reconciled): Promise<string | null> {
  const seen = await readMarkOrDamage(storage, config.database.shard);
  const { rows } = await pool.query<{ position: number; at: Date; is_behind: boolean }>(
    "select position, advanced_at as at, behind_since is not null as is_behind from fence where is_only",
  );
  const { position, at, is_behind: isMarked } = onlyRow(rows);
  const isBehind = isMarked || position < (seen?.position ?? 0);
  return isBehind ? describeBehind(position, at, seen) : null;
}

/**
 * Opens the fence of a database that agrees with the vendors and the storage: its position is set beyond
 * any that was recorded or is still in the memory of a process.
 */
export async function openFence({ pool, storage, config }: Reconciled): Promise<void> {
  const { shard } = config.database;
  const noted = (await readMarkOrDamage(storage, shard))?.position ?? 0;
  const { rows } = await pool.query<{ position: number; at: Date }>(
    `update fence set
       position = greatest(position, $1) + $2, advanced_at = now(), behind_since = null
     where is_only
     returning position, advanced_at as at`,
    [noted, leap],
  );
  const { position, at } = onlyRow(rows);
  await writeMark(storage, shard, { position, at: at.toISOString() });
}
