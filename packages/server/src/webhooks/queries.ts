import { sql } from "kysely";
import type { Db } from "../db/database.ts";

export interface DueDelivery {
  deliveryId: string;
  accountId: string;
  number: number;
  url: string;
  body: string;
  secret: string;
}

/**
 * Takes due deliveries and counts the attempt before it is made, so that a crash can cost an attempt
 * but never add one. A taken row is due again after the lease: its worker may have died.
 */
export async function takeDueDeliveries(
  db: Db,
  limits: { rowsMax: number; attemptsMax: number; leaseMs: number },
): Promise<DueDelivery[]> {
  const result = await sql<DueDelivery>`
    with taken as (
      update open_deliveries set
        attempts = attempts + 1,
        next_attempt_at = now() + ${limits.leaseMs}::double precision * interval '1 millisecond'
      where delivery_id in (
        select delivery_id from open_deliveries
        where next_attempt_at <= now() and attempts < ${limits.attemptsMax}
        order by next_attempt_at limit ${limits.rowsMax} for update skip locked)
      returning delivery_id, account_id, attempts
    ), attempted as (
      insert into attempts (delivery_id, number, started_at)
      select delivery_id, attempts, now() from taken
    )
    select taken.delivery_id as "deliveryId", taken.account_id as "accountId",
           taken.attempts as number, url, body, webhook_secret as secret
    from taken
    join deliveries on deliveries.id = taken.delivery_id
    join accounts on accounts.id = taken.account_id`.execute(db);
  return result.rows;
}

/** Gives up what has used its last attempt and was never heard of again. */
export async function closeExhausted(db: Db, attemptsMax: number): Promise<void> {
  await sql`
    with exhausted as (
      delete from open_deliveries where next_attempt_at <= now() and attempts >= ${attemptsMax}
      returning delivery_id
    )
    update deliveries set given_up_at = now()
    where id in (select delivery_id from exhausted)`.execute(db);
}

export interface AttemptResult {
  status: number | null;
  reason: string | null;
  durationMs: number;
}

export async function recordAttempt(
  db: Db,
  attempt: { deliveryId: string; number: number },
  result: AttemptResult,
  then: "delivered" | "given up" | { againMs: number },
): Promise<void> {
  const againMs = typeof then === "object" ? then.againMs : null;
  await sql`
    with attempted as (
      update attempts set status = ${result.status}, reason = ${result.reason}, duration_ms = ${result.durationMs}
      where delivery_id = ${attempt.deliveryId} and number = ${attempt.number}
    ), again as (
      update open_deliveries set next_attempt_at = now() + ${againMs}::double precision * interval '1 millisecond'
      where delivery_id = ${attempt.deliveryId} and attempts = ${attempt.number} and ${againMs !== null}
    ), closed as (
      delete from open_deliveries where delivery_id = ${attempt.deliveryId} and ${againMs === null}
    )
    update deliveries set
      delivered_at = case when ${then === "delivered"} then now() end,
      given_up_at = case when ${then === "given up"} then now() end
    where id = ${attempt.deliveryId} and ${againMs === null}`.execute(db);
}
