import type { Pool } from "pg";
import type { Config } from "./config.ts";
import type { Announcer } from "./db/announcer.ts";
import type { Db } from "./db/database.ts";
import type { Waker } from "./engine/waker.ts";
import type { KeyRing } from "./key-ring.ts";
import type { Log } from "./log.ts";
import type { Paces } from "./media/fetch/pace.ts";
import type { SafeFetch } from "./media/fetch/safe-fetch.ts";
import type { Storage } from "./media/storage/storage.ts";
import type { Metrics } from "./metrics/create-metrics.ts";
import type { Semaphore } from "./semaphore.ts";

/**
 * What nearly every use case needs from outside. A domain that needs more extends it in its own
 * `context.ts`; only `open-context.ts` builds one.
 */
export interface Context {
  config: Config;
  log: Log;
  metrics: Metrics;
  /** Null in development alone: then secrets are stored as they are. */
  keyRing: KeyRing | null;
  /** The same connections twice: for functions of the database, and for typed queries. */
  pool: Pool;
  db: Db;
  /** The first shard: people and their sessions, the staff, mails, vendor accounts and switches are there. */
  home: Home;
  /** The other shards, of an api. */
  others: readonly Home[];
  storage: Storage;
  safeFetch: SafeFetch;
  waker: Waker;
  /** Notified of every task whose state changed, after the commit. */
  changes: Announcer;
  /** This process's own folder for temporary files. */
  workDir: string;
}

export interface Home {
  pool: Pool;
  db: Db;
}

/** The part of a context that says where accounts are: in a shard, and as signposts at home. */
export interface Place {
  db: Db;
  home: Home;
  config: { database: Pick<Config["database"], "shard"> };
}

/** For work on media files. Each kind of work has a bound of its own, so that none waits for another. */
export interface MediaContext extends Context {
  /** Downloads of callers' URLs: assets, inputs and sources. */
  fetches: Semaphore;
  /** The rate of those downloads. */
  paces: Paces;
  /** Probes of downloaded files, which cost a processor. */
  probes: Semaphore;
  /** Videos of vendors, fetched and stored: as many as share a start of ffmpeg on each processor. */
  collects: Semaphore;
  /** Outputs on which ffprobe or ffmpeg works alone: joined, of an unusual form, images. */
  programs: Semaphore;
}
