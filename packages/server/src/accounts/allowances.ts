import type { Pool } from "pg";
import { callFunction } from "../db/database.ts";

interface Allowance {
  accountId: string;
  /** What is counted. */
  kind: "redelivery" | "test_event";
  perMinuteMax: number;
}

/**
 * Takes up to `wanted` of what an account may do a minute, over all processes. `granted` may be fewer, or 0:
 * then there is one again after `retryAfterSeconds`.
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

/** Gives back what was taken and not used. */
export async function returnAllowance(
  pool: Pool,
  allowance: Allowance,
  unused: number,
): Promise<void> {
  if (unused > 0) await takeAllowance(pool, allowance, -unused);
}
