import type { Pool } from "pg";
import { LivesElsewhere } from "../accounts/lives-elsewhere.ts";
import { isNewestSecretEncrypted } from "../accounts/secret-queries.ts";
import { readConfig } from "../config.ts";
import type { Home, Place } from "../context.ts";
import { type Db, openDatabase, openPool } from "../db/database.ts";
import { readEnvironment, readSetting } from "../environment.ts";
import { type KeyRing, newRingHint } from "../key-ring.ts";
import { openStorage } from "../media/storage/open-storage.ts";
import type { Storage } from "../media/storage/storage.ts";
import { shardOwners } from "../owner-settings.ts";
import type { Setting } from "../setting.ts";
import { settings } from "../settings.ts";
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

/** Null where nobody has a key ring: in development. */
export async function keyRingFor(db: Db): Promise<KeyRing | null> {
  const ring = readSetting(settings.secrets.keyRing);
  return ring === null && (await isNewestSecretEncrypted(db)) ? requireKeyRing() : ring;
}

/** The database of the setting SHARD, and where home is. */
export async function withDatabase(
  work: (db: Db, pool: Pool, place: Place) => Promise<Report>,
  url: Setting<string> = settings.database.url,
): Promise<Report> {
  const { shard, own, ofHome } = findUrls(url);
  const opened = openAt(own);
  const home = ofHome === null ? opened : openAt(ofHome);
  try {
    const place = { db: opened.db, home, config: { database: { shard } } };
    return await work(opened.db, opened.pool, place);
  } catch (error) {
    if (!(error instanceof LivesElsewhere)) throw error;
    return fail(`The account lives in shard ${error.shard}. Set SHARD to ${error.shard}.`);
  } finally {
    await opened.db.destroy();
    if (home !== opened) await home.db.destroy();
  }
}

function openAt(url: string): Home {
  const pool = openPool(url, 2, "zoetrope operator");
  return { pool, db: openDatabase(pool) };
}

/** `ofHome`: null if it is the same. */
function findUrls(url: Setting<string>): { shard: number; own: string; ofHome: string | null } {
  const isService = url === settings.database.url;
  const shard = readSetting(settings.database.shard) ?? 0;
  if (shard === 0) {
    const direct = isService ? readSetting(settings.database.sessionUrl) : null;
    return { shard, own: direct ?? databaseUrl(url), ofHome: null };
  }
  const all = isService ? settings.database.shards : shardOwners;
  const [ofHome, ...others] = readSetting(all) ?? [];
  const own = others[shard - 1];
  if (ofHome === undefined || own === undefined)
    return fail(`Set ${all.name} to the PostgreSQL URLs of at least ${shard + 1} shards.`);
  return { shard, own, ofHome };
}

/** With the storage of a worker, whose settings are read. */
export async function withStorage(
  url: Setting<string>,
  work: (world: Place & { storage: Storage }) => Promise<Report>,
): Promise<Report> {
  const storage = openStorage(readConfig(readEnvironment()));
  try {
    await storage.check(); // before anything is changed
    return await withDatabase((_db, _pool, place) => work({ ...place, storage }), url);
  } finally {
    await storage.close();
  }
}
