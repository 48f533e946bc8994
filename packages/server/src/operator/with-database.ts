import { LivesElsewhere } from "../accounts/lives-elsewhere.ts";
import type { ShardContext } from "../context.ts";
import { type Connections, openConnections } from "../db/connections.ts";
import { type Db, openDatabase } from "../db/database.ts";
import { openStorage } from "../media/storage/open-storage.ts";
import type { Storage } from "../media/storage/storage.ts";
import { type KeyRing, newRingHint } from "../secrets/key-ring.ts";
import { readConfig } from "../settings/config.ts";
import { readEnvironment, readSetting } from "../settings/environment.ts";
import { shardOwners } from "../settings/owner-settings.ts";
import type { Setting } from "../settings/setting.ts";
import { settings } from "../settings/settings.ts";
import { fail, type Report } from "./command.ts";

export function databaseUrl(setting: Setting<string>): string {
  return readSetting(setting) ?? fail(`Set ${setting.name} to a PostgreSQL URL.`);
}

export function requireKeyRing(): KeyRing {
  return (
    readSetting(settings.secrets.keyRing) ??
    fail(`Set KEY_RING_FILE to the key ring of api and worker. To make one: ${newRingHint}`)
  );
}

/** The database of the setting SHARD, and the directory. */
export async function withDatabase(
  work: (db: Db, pool: Connections, ctx: ShardContext) => Promise<Report>,
  url: Setting<string> = settings.database.url,
): Promise<Report> {
  const { shard, shardUrl, directoryUrl } = findUrls(url);
  const opened = openAt(shardUrl);
  const openedDirectory = directoryUrl === null ? opened : openAt(directoryUrl);
  try {
    const directory = {
      ...openedDirectory,
      shard: openedDirectory === opened ? opened.db : null,
    };
    const ctx = { db: opened.db, directory, config: { database: { shard } } };
    return await work(opened.db, opened.pool, ctx);
  } catch (error) {
    if (!(error instanceof LivesElsewhere)) throw error;
    return fail(`The account lives in shard ${error.shard}. Set SHARD to ${error.shard}.`);
  } finally {
    await opened.db.destroy();
    if (openedDirectory !== opened) await openedDirectory.db.destroy();
  }
}

function openAt(url: string) {
  const pool = openConnections(url, 2, "zoetrope operator");
  return { pool, db: openDatabase(pool) };
}

/** `ofHome`: null if it is the same. */
function findUrls(url: Setting<string>): {
  shard: number;
  shardUrl: string;
  directoryUrl: string | null;
} {
  const isService = url === settings.database.url;
  const shard = readSetting(settings.database.shard) ?? 0;
  if (shard === 0) {
    const direct = isService ? readSetting(settings.database.sessionUrl) : null;
    return { shard, shardUrl: direct ?? databaseUrl(url), directoryUrl: null };
  }
  const all = isService ? settings.database.shards : shardOwners;
  const [directoryUrl, ...others] = readSetting(all) ?? [];
  const shardUrl = others[shard - 1];
  if (directoryUrl === undefined || shardUrl === undefined)
    return fail(`Set ${all.name} to the PostgreSQL URLs of at least ${shard + 1} shards.`);
  return { shard, shardUrl, directoryUrl };
}

/** Runs work with the storage of a worker, whose settings are read. */
export async function withStorage(
  url: Setting<string>,
  work: (ctx: ShardContext & { storage: Storage }) => Promise<Report>,
): Promise<Report> {
  const storage = openStorage(readConfig(readEnvironment()));
  try {
    await storage.check(); // before anything is changed
    return await withDatabase((_db, _pool, ctx) => work({ ...ctx, storage }), url);
  } finally {
    await storage.close();
  }
}
