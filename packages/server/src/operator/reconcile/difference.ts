import type { Connections } from "../../db/connections.ts";
import type { Db } from "../../db/database.ts";
import type { Storage } from "../../media/storage/storage.ts";
import type { Config } from "../../settings/config.ts";
import type { VendorAccount } from "../../vendors/vendor.ts";

export interface ReconcileContext {
  config: Config;
  db: Db;
  pool: Connections;
  storage: Storage;
  vendors: ReadonlyMap<string, VendorAccount>;
}

/** A difference between the restored database and the vendors or the storage. */
export interface Difference {
  kind:
    | "database behind"
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
  /** The id of the task, job, invocation or object. */
  id: string;
  detail: string;
  /** The action that `--apply` takes. */
  action: string;
  /** Null: nothing can be done here. */
  apply: (() => Promise<void>) | null;
  /** The database must not go to work before this is settled. */
  isBlocking?: true;
}
