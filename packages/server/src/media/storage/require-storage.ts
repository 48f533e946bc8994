import { withinMs } from "../../flow/within-ms.ts";
import type { Log } from "../../log.ts";
import { type Storage, StorageUnfit } from "./storage.ts";

const checkMsMax = 10_000;

/**
 * Refuses to start with a storage that cannot be used. If the storage is unreachable, tasks wait for it and
 * `/health/ready`, which keeps checking, reports it.
 */
export async function requireStorage({ storage, log }: { storage: Storage; log: Log }) {
  try {
    await withinMs(checkMsMax, storage.check());
  } catch (error) {
    if (error instanceof StorageUnfit) throw new Error(`The storage: ${error.message}.`);
    log.warn({ event: "storage.away", reason: String(error) });
  }
}
