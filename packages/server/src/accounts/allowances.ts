import type { Connections } from "../db/connections.ts";
import { callFunction, callFunctionIn, type Db, type Tx } from "../db/database.ts";
import type { SharedTables } from "../db/schema.ts";
import { ApiError } from "../errors.ts";
import type { AccountId, Actor } from "../ids.ts";

const changesPerMinuteMax = 120;

interface Allowance {
  accountId: AccountId;
  /** The kind of action that an allowance counts. */
  kind: "redelivery" | "test_event" | "invitation";
  perMinuteMax: number;
}

/**
 * Takes up to `wanted` of an account's allowance per minute, shared by all processes. `granted` may be
 * less, or 0; the next one is available after `retryAfterSeconds`.
 */
export async function takeAllowance(
  pool: Connections<SharedTables>,
  { accountId, kind, perMinuteMax }: Allowance,
  wanted: number,
): Promise<{ granted: number; retryAfterSeconds: number }> {
  const row = await callFunction(pool, "take_allowance", {
    account_id: accountId,
    kind,
    wanted,
    per_minute_max: perMinuteMax,
  });
  return {
    granted: row.granted,
    retryAfterSeconds: Math.max(1, Math.ceil(row.retry_after_ms / 1_000)),
  };
}

/**
 * Takes one of an account's changes of its keys and webhook endpoints, because each adds a row to the audit
 * that nobody can delete. Must be the last lock of its transaction. Operators have no limit.
 */
export async function takeChange(tx: Tx, actor: Actor, accountId: AccountId): Promise<void> {
  if (actor.kind === "command" || actor.kind === "service") return;
  if (actor.kind === "person" && actor.isStaff) return;
  const { granted, retry_after_ms } = await callFunctionIn(tx, "take_allowance", {
    account_id: accountId,
    kind: "change",
    wanted: 1,
    per_minute_max: changesPerMinuteMax,
  });
  const retryAfterSeconds = Math.max(1, Math.ceil(retry_after_ms / 1_000));
  if (granted === 0) throw new ApiError("changes_limit", { retryAfterSeconds });
}

/** Returns an unused part of the allowance. */
export async function returnAllowance(
  pool: Connections<SharedTables>,
  allowance: Allowance,
  unused: number,
): Promise<void> {
  if (unused > 0) await takeAllowance(pool, allowance, -unused);
}

/**
 * Takes all that is wanted of an account's allowance per day, or nothing. With 0 wanted it says whether
 * something is left.
 */
export async function takeDailyAllowance(
  db: Db,
  allowance: { accountId: AccountId; kind: "test_upscale_frames"; perDayMax: number },
  wanted: number,
): Promise<{ isGranted: boolean; retryAfterSeconds: number }> {
  const { accountId, kind, perDayMax } = allowance;
  const row = await callFunctionIn(db, "take_daily_allowance", {
    account_id: accountId,
    kind,
    wanted,
    per_day_max: perDayMax,
  });
  return {
    isGranted: row.is_granted,
    retryAfterSeconds: Math.max(1, Math.ceil(row.retry_after_ms / 1_000)),
  };
}
