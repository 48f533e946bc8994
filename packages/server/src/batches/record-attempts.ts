import type { Connections } from "../db/connections.ts";
import type { BatchRow } from "../db/sql-functions.ts";
import { callBatch, createBatch, sharedBy } from "../flow/batch.ts";
import type { DeliveryId } from "../ids.ts";

export interface AttemptResult {
  status: number | null;
  reason: string | null;
  durationMs: number;
}

export type AttemptEnd = "delivered" | "given up" | { againMs: number };

interface AttemptRecord {
  deliveryId: DeliveryId;
  number: number;
  result: AttemptResult;
  then: AttemptEnd;
}

/** Records the attempts of deliveries. */
export const attemptsOf = sharedBy((pool: Connections) =>
  createBatch<AttemptRecord, object>({
    keyOf: ({ deliveryId }) => deliveryId,
    run(records, wait) {
      const rows = records.map(({ deliveryId, number, result, then }) =>
        JSON.stringify({
          delivery_id: deliveryId,
          number,
          status: result.status,
          reason: result.reason,
          duration_ms: result.durationMs,
          again_ms: typeof then === "object" ? then.againMs : null,
          is_delivered: then === "delivered",
        } satisfies BatchRow<"record_attempts">),
      );
      return callBatch(pool, "record_attempts", rows, wait);
    },
  }),
);
