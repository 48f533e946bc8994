import type { Connections } from "../db/connections.ts";
import type { BatchRow } from "../db/sql-functions.ts";
import type { CostFacts, RecordedCost } from "../db/tables/tasks.ts";
import { callBatch, createBatch, sharedBy } from "../flow/batch.ts";
import type { TaskId } from "../ids.ts";

/** By what a submit is charged, with the estimate that counts until its end. */
export interface Charge {
  /** The vendor's name of the model. */
  vendorModel: string;
  facts: CostFacts;
  cost: RecordedCost | null;
}

export interface Claim {
  taskId: TaskId;
  vendorAccount: string;
  graceMs: number;
  isAtWork: boolean;
  /** The position that the caller knows; null: the caller is bringing a restored database in line. */
  known: number | null;
  /** The id of the claim, for `abandonClaim`. */
  claimId?: string | null;
  /** Null: nobody is charged, or nothing is known of it. */
  charge?: Charge | null;
}

export interface Claimed {
  started_at: Date | null;
}

export function claimRow(claim: Claim): string {
  const { taskId, graceMs, vendorAccount, isAtWork, known, claimId = null, charge } = claim;
  return JSON.stringify({
    task_id: taskId,
    vendor_account: vendorAccount,
    grace_ms: graceMs,
    is_at_work: isAtWork,
    claim_id: claimId,
    known,
    vendor_model: charge?.vendorModel ?? null,
    cost_facts: charge?.facts ?? null,
    cost: charge?.cost ?? null,
  } satisfies BatchRow<"claim_submits">);
}

/** Claims the submits of tasks. */
export const claimsOf = sharedBy((pool: Connections) =>
  createBatch<Claim, Claimed>({
    keyOf: ({ taskId }) => taskId,
    run: (claims, wait) => callBatch(pool, "claim_submits", claims.map(claimRow), wait),
  }),
);
