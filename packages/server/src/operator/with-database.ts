import type { Pool } from "pg";
import { isNewestSecretEncrypted } from "../accounts/secret-queries.ts";
import { settings } from "../config.ts";
import { type Db, openDatabase, openPool } from "../db/database.ts";
import { readSetting } from "../environment.ts";
import { type KeyRing, newRingHint } from "../key-ring.ts";
import type { Setting } from "../setting.ts";
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

export async function withDatabase(work: (db: Db, pool: Pool) => Promise<Report>): Promise<Report> {
  const pool = openPool(databaseUrl(settings.database.url), 2, "zoetrope operator");
  const db = openDatabase(pool);
  try {
    return await work(db, pool);
  } finally {
    await db.destroy();
  }
}
