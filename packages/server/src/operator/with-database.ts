import type { Pool } from "pg";
import { isNewestSecretEncrypted } from "../accounts/secret-queries.ts";
import { readConfig } from "../config.ts";
import { type Db, openDatabase, openPool } from "../db/database.ts";
import { readEnvironment, readSetting } from "../environment.ts";
import { type KeyRing, newRingHint } from "../key-ring.ts";
import { openStorage } from "../media/storage/open-storage.ts";
import type { Storage } from "../media/storage/storage.ts";
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

export async function withDatabase(
  work: (db: Db, pool: Pool) => Promise<Report>,
  url: Setting<string> = settings.database.url,
): Promise<Report> {
  const isService = url === settings.database.url;
  const direct = isService ? readSetting(settings.database.sessionUrl) : null;
  const pool = openPool(direct ?? databaseUrl(url), 2, "zoetrope operator");
  const db = openDatabase(pool);
  try {
    return await work(db, pool);
  } finally {
    await db.destroy();
  }
}

/** With the storage of a worker, whose settings are read. */
export async function withStorage(
  url: Setting<string>,
  work: (world: { db: Db; storage: Storage }) => Promise<Report>,
): Promise<Report> {
  const storage = openStorage(readConfig(readEnvironment()));
  try {
    await storage.check(); // before anything is changed
    return await withDatabase((db) => work({ db, storage }), url);
  } finally {
    await storage.close();
  }
}
