import type { Pool } from "pg";
import { callFunction } from "../db/database.ts";
import type { AccountId } from "../ids.ts";

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

/** Returns an unused part of the allowance. */
export async function returnAllowance(
  pool: Pool,
  allowance: Allowance,
  unused: number,
): Promise<void> {
  if (unused > 0) await takeAllowance(pool, allowance, -unused);
}
