import type { Connections } from "../db/connections.ts";
import { callBatch, createBatch, sharedBy } from "../flow/batch.ts";
import type { AccountId } from "../ids.ts";

export interface Finished {
  is_finished: boolean;
}

/** Few enough that an account is locked briefly. */
const finishesMax = 32;

/** Ends tasks. */
export const finishesOf = sharedBy((pool: Connections) =>
  createBatch<{ accountId: AccountId; row: string }, Finished>({
    rowsMax: finishesMax,
    sizeOf: ({ row }) => row.length,
    keyOf: ({ accountId }) => accountId,
    run(ends, wait) {
      const rows = ends.map(({ row }) => row);
      return callBatch(pool, "finish_tasks", rows, wait);
    },
  }),
);
