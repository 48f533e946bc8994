import { randomUUID } from "node:crypto";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { fetchObject, ObjectGone } from "../../media/storage/fetch-object.ts";
import type { Storage } from "../../media/storage/storage.ts";

/** The source could not be read from storage: that says nothing about the segment. */
export class SourceAway extends Error {}

/** Local copies of sources: each is fetched once while its segments are processed. */
export interface SourceCache {
  use<Result>(key: string, work: (path: string) => Promise<Result>): Promise<Result>;
}

interface Entry {
  path: string;
  fetched: Promise<void>;
  users: number;
  /** Runs while the file is unused. */
  going?: NodeJS.Timeout;
}

/**
 * An unused file is kept for a while, and at most this many: disk usage is bounded, and files do not
 * long outlive their task.
 */
export function createSourceCache(
  storage: Storage,
  dir: string,
  idle: { filesMax: number; keptMs: number },
): SourceCache {
  const entries = new Map<string, Entry>(); // least recently used first

  async function fetch(key: string, path: string): Promise<void> {
    await mkdir(dir, { recursive: true });
    await fetchObject(storage, key, path).catch((error) => {
      if (error instanceof ObjectGone) throw error;
      throw new SourceAway(`the source cannot be read: ${error}`);
    });
  }

  function enter(key: string): Entry {
    const path = join(dir, `source-${randomUUID()}`); // never a file that is being removed
    return { path, fetched: fetch(key, path), users: 0 };
  }

  async function drop(key: string, entry: Entry): Promise<void> {
    clearTimeout(entry.going);
    if (entries.get(key) === entry) entries.delete(key);
    await rm(entry.path, { force: true });
  }

  async function leave(key: string, entry: Entry): Promise<void> {
    entry.users -= 1;
    if (entry.users > 0) return;
    const isFetched = await entry.fetched.then(
      () => true,
      () => false,
    );
    if (!isFetched) return drop(key, entry);
    entries.delete(key);
    entries.set(key, entry);
    entry.going = setTimeout(() => {
      if (entry.users === 0) drop(key, entry).catch(() => {}); // a starting worker clears the folder
    }, idle.keptMs);
    entry.going.unref();
    const unused = [...entries].filter(([, { users }]) => users === 0);
    for (const [longest, one] of unused.slice(0, Math.max(0, unused.length - idle.filesMax)))
      await drop(longest, one);
  }

  return {
    async use(key, work) {
      const entry = entries.get(key) ?? enter(key);
      clearTimeout(entry.going);
      entries.set(key, entry);
      entry.users += 1;
      try {
        await entry.fetched;
        return await work(entry.path);
      } finally {
        await leave(key, entry);
      }
    },
  };
}
