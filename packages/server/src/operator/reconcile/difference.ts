import type { Pool } from "pg";
import type { Config } from "../../config.ts";
import type { Db } from "../../db/database.ts";
import type { Storage } from "../../media/storage/storage.ts";
import type { VendorAccount } from "../../vendors/vendor.ts";

export interface World {
  config: Config;
  db: Db;
  pool: Pool;
  storage: Storage;
  vendors: ReadonlyMap<string, VendorAccount>;
}

/** Where the restored database and the world around it do not agree. */
export interface Difference {
  kind:
    | "engine work"
    | "engine unavailable"
    | "vendor unavailable"
    | "job found"
    | "job in doubt"
    | "job undecided"
    | "job without a task"
    | "submit unconfirmed"
    | "deadline near"
    | "file missing"
    | "file without a record";
  /** Of the task, job, invocation or object. */
  id: string;
  detail: string;
  /** What `--apply` does about it. */
  action: string;
  /** Null: nothing can be done here. */
  apply: (() => Promise<void>) | null;
  /** The database must not go to work before this is settled. */
  isBlocking?: true;
}
