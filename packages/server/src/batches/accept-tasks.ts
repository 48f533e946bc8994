import type { Connections } from "../db/connections.ts";
import { callBatch, createBatch, sharedBy } from "../flow/batch.ts";
import type { AccountId, TaskId } from "../ids.ts";

/** The result of `accept_task`. */
export type Decision =
  | { outcome: "accepted"; task_id: TaskId; amount: number; amount_max: number }
  | { outcome: "replayed"; task_id: TaskId }
  | { outcome: "unauthorized" | "account_suspended" | "idempotency_key_reused" }
  | { outcome: "account_moved" }
  /** The time of the transaction, in milliseconds since 1970. */
  | { outcome: "price_outdated"; amount: number }
  /** The amount that was reached, and the maximum. */
  | { outcome: LimitRefusal; amount: number; amount_max: number };

export type LimitRefusal =
  | "concurrency_limit"
  | "price_above_max"
  | "insufficient_credits"
  | "key_budget_exceeded";

/** Few enough that an account is locked briefly. */
export const acceptsMax = 32;
/**
 * The queue length at which a second batch runs. With one batch at a time, the database waits while
 * responses are sent, and the api while it commits.
 */
const acceptsCrowd = 4;

/** Accepts tasks. */
export const acceptsOf = sharedBy((pool: Connections) =>
  createBatch<{ accountId: AccountId; row: string }, Decision>({
    rowsMax: acceptsMax,
    crowd: acceptsCrowd,
    sizeOf: ({ row }) => row.length,
    keyOf: ({ accountId }) => accountId,
    run(inputs, wait) {
      const rows = inputs.map(({ row }) => row);
      return callBatch(pool, "accept_tasks", rows, wait);
    },
  }),
);
