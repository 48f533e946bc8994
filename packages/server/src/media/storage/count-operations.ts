import type { Metrics } from "../../metrics/create-metrics.ts";
import type { storageOperations } from "../../metrics/metric-table.ts";
import type { Storage } from "./storage.ts";

type Operation = (typeof storageOperations)[number];

/** Returns the storage with its calls counted. An object that does not exist is not counted as a failure. */
export function countOperations(storage: Storage, metrics: Metrics): Storage {
  const counted = async <Result>(operation: Operation, work: Promise<Result>): Promise<Result> => {
    try {
      const result = await work;
      metrics.storageOperations.add({ operation, outcome: "done" });
      return result;
    } catch (error) {
      metrics.storageOperations.add({ operation, outcome: "failed" });
      throw error;
    }
  };
  const { receiveChunk } = storage;
  const countBytes = (sizeBytes: number) => metrics.storageWritten.add({}, sizeBytes);
  return {
    ...storage,
    async putFile(key, path, facts) {
      await counted("put", storage.putFile(key, path, facts));
      countBytes(facts.sizeBytes);
    },
    locate: (...about) => counted("locate", storage.locate(...about)),
    openRead: (key) => counted("read", storage.openRead(key)),
    remove: (key) => counted("remove", storage.remove(key)),
    listChunks: (stem) => counted("list", storage.listChunks(stem)),
    check: () => counted("check", storage.check()),
    receiveChunk:
      receiveChunk === null
        ? null
        : async (chunkKey, body, sizeBytes) => {
            await receiveChunk(chunkKey, body, sizeBytes); // its failures are mostly the sender's
            countBytes(sizeBytes);
          },
  };
}
