import type { Connections } from "./db/connections.ts";
import type { Db, DirectoryDb, FirstShardDb } from "./db/database.ts";
import type { DirectoryTables } from "./db/schema.ts";
import type { Waker } from "./engine/waker.ts";
import type { Semaphore } from "./flow/semaphore.ts";
import type { AccountId, TaskId } from "./ids.ts";
import type { Log } from "./log.ts";
import type { Paces } from "./media/fetch/pace.ts";
import type { SafeFetch } from "./media/fetch/safe-fetch.ts";
import type { Fence } from "./media/storage/fence.ts";
import type { Storage } from "./media/storage/storage.ts";
import type { Metrics } from "./metrics/create-metrics.ts";
import type { KeyRing } from "./secrets/key-ring.ts";
import type { Config } from "./settings/config.ts";

/**
 * The resources that nearly every use case needs. A domain that needs more extends it in its own
 * `context.ts`; only `open-context.ts` builds one.
 */
export interface Context {
  config: Config;
  log: Log;
  metrics: Metrics;
  /** Null in development alone: then secrets are stored as they are. */
  keyRing: KeyRing | null;
  /** The connections, which functions of the database use; `db` has the same ones for typed queries. */
  pool: Connections;
  db: Db;
  /** The first shard: people and their sessions, the staff, mails, vendor accounts and switches are there. */
  directory: Directory;
  /** The other shards, of an api. */
  otherShards: readonly Shard[];
  storage: Storage;
  /** Keeps a database that was restored from submitting again. */
  fence: Fence;
  safeFetch: SafeFetch;
  waker: Waker;
  /** Notified of every task whose state changed, after the commit. */
  changes: Announcer;
  /** This process's own folder for temporary files. */
  workDir: string;
}

/** Notifies every api process of changed tasks. */
export interface Announcer {
  /** Best effort: never throws and never waits. Followed tasks are also read again at intervals. */
  announce(taskId: TaskId, accountId: AccountId): void;
  /** Waits for requests in progress. */
  close(): Promise<void>;
}

export interface Shard {
  pool: Connections;
  db: Db;
}

export interface Directory {
  pool: Connections<DirectoryTables>;
  db: DirectoryDb;
  /** The database as a shard, where it is the context's shard, too; otherwise null. */
  shard: FirstShardDb | null;
}

/** A context whose database is the directory's, for what people do. */
export interface DirectoryContext extends Omit<Context, "pool" | "db"> {
  pool: Connections<DirectoryTables>;
  db: DirectoryDb;
}

/**
 * The part of a context that says where accounts are: in a shard, and as forwarding rows in the directory.
 */
export interface ShardContext {
  db: Db;
  directory: Directory;
  config: { database: Pick<Config["database"], "shard"> };
}

/**
 * The context of work on media files. Each kind of work has a separate bound, so that none waits for
 * another.
 */
export interface MediaContext extends Context {
  /** Downloads of callers' URLs: assets, inputs and sources. */
  fetches: Semaphore;
  /** The rate of those downloads. */
  paces: Paces;
  /** Probes of downloaded files, which cost a processor. */
  probes: Semaphore;
  /** Videos of vendors, fetched and stored: they wait for the network more than for a processor. */
  collects: Semaphore;
  /** Outputs on which ffprobe or ffmpeg works. */
  programs: Semaphore;
}
