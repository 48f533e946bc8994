import type { Pool } from "pg";
import type { Actor } from "../actor.ts";
import { callFunction, callFunctionIn, type Tx } from "../db/database.ts";
import { ApiError } from "../errors.ts";
import type { AccountId } from "../ids.ts";

const changesPerMinuteMax = 120;

interface Allowance {
  accountId: AccountId;
  /** What an allowance counts. */
  kind: "redelivery" | "test_event" | "invitation";
  perMinuteMax: number;
}

/**
 * Takes up to `wanted` of an account's allowance per minute, shared by all processes. `granted` may be
 * less, or 0; the next one is available after `retryAfterSeconds`.
 */
export async function takeAllowance(
  pool: Pool,
  { accountId, kind, perMinuteMax }: Allowance,
  wanted: number,
): Promise<{ granted: number; retryAfterSeconds: number }> {
  const row = await callFunction<{ granted: number; retry_after_ms: number }>(
    pool,
    "take_allowance",
    { account_id: accountId, kind, wanted, per_minute_max: perMinuteMax },
  );
  return {
    granted: row.granted,
    retryAfterSeconds: Math.max(1, Math.ceil(row.retry_after_ms / 1_000)),
  };
}

/**
 * Takes one of an account's changes of its keys and webhook endpoints: each leaves a row of the audit that
 * nobody can delete. As the last lock of its transaction. Operators have no limit.
 */
export async function takeChange(tx: Tx, actor: Actor, accountId: AccountId): Promise<void> {
  if (actor.kind === "command") return;
  const { granted, retry_after_ms } = await callFunctionIn<{
    granted: number;
    retry_after_ms: number;
  }>(tx, "take_allowance", {
    ...{ account_id: accountId, kind: "change", wanted: 1 },
    per_minute_max: changesPerMinuteMax,
  });
  const retryAfterSeconds = Math.max(1, Math.ceil(retry_after_ms / 1_000));
  if (granted === 0) throw new ApiError("changes_limit", { retryAfterSeconds });
}

/** Returns an unused part of the allowance. */
export async function returnAllowance(
  pool: Pool,
  allowance: Allowance,
  unused: number,
): Promise<void> {
  if (unused > 0) await takeAllowance(pool, allowance, -unused);
}
