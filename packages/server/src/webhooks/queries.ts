import { sql } from "kysely";
import type { Db } from "../db/database.ts";
import type { Lane } from "./lanes.ts";

/** The SQL of delivering. Times are the database's. */

export interface DueDelivery extends Lane {
  deliveryId: string;
  /** Of the attempt, over all rounds. */
  number: number;
  /** Of the attempt within its round. */
  turn: number;
  url: string;
  body: string;
  /** The first signs always; the second while it is being replaced. */
  secrets: string[];
  tail: { hours: number; ageMs: number };
}

/**
 * Lanes that have a delivery which is due, from after the given one on. Steps from lane to lane
 * through the index, so that a lane with many deliveries costs no more than one with few.
 */
export async function listDueLanes(
  db: Db,
  after: Lane,
  lanesMax: number,
): Promise<{ due: Lane[]; last: Lane | null }> {
  const { rows } = await sql<Lane & { isDue: boolean }>`
    with recursive lanes as (
      (select account_id, host, next_attempt_at from open_deliveries
       where (account_id, host) > (${after.accountId}::uuid, ${after.host})
       order by account_id, host, next_attempt_at limit 1)
      union all
      select next.* from lanes cross join lateral (
        select o.account_id, o.host, o.next_attempt_at from open_deliveries o
        where (o.account_id, o.host) > (lanes.account_id, lanes.host)
        order by o.account_id, o.host, o.next_attempt_at limit 1) next
    )
    select account_id as "accountId", host, next_attempt_at <= now() as "isDue"
    from lanes limit ${lanesMax}`.execute(db);
  const last = rows.length === lanesMax ? (rows.at(-1) ?? null) : null;
  return { due: rows.filter(({ isDue }) => isDue), last };
}

/**
 * Takes due deliveries of lanes, the longest due first, and counts the attempt before it is made, so
 * that a crash can cost an attempt but never add one. A taken row is due again after the lease: its
 * worker may have died. One that has no attempt left then is given up here.
 */
export async function takeDueDeliveries(
  db: Db,
  shares: readonly { lane: Lane; rowsMax: number }[],
  limits: { attemptsUsual: number; leaseMs: number },
): Promise<DueDelivery[]> {
  if (shares.length === 0) return [];
  const result = await sql<DueDelivery>`
    with due as (
      select o.delivery_id,
             o.attempts - o.attempts_before >= ${limits.attemptsUsual}
               and d.created_at + a.webhook_tail_hours * interval '1 hour' < now() as is_spent
      from unnest(${shares.map(({ lane }) => lane.accountId)}::uuid[],
                  ${shares.map(({ lane }) => lane.host)}::text[],
                  ${shares.map(({ rowsMax }) => rowsMax)}::integer[]) as share (account_id, host, rows_max)
      cross join lateral (
        select * from open_deliveries
        where account_id = share.account_id and host = share.host and next_attempt_at <= now()
        order by next_attempt_at limit share.rows_max for update skip locked) o
      join deliveries d on d.id = o.delivery_id
      join accounts a on a.id = o.account_id
    ), spent as (
      delete from open_deliveries where delivery_id in (select delivery_id from due where is_spent)
      returning delivery_id
    ), given_up as (
      update deliveries set given_up_at = now() where id in (select delivery_id from spent)
    ), taken as (
      update open_deliveries set
        attempts = attempts + 1,
        next_attempt_at = now() + ${limits.leaseMs}::double precision * interval '1 millisecond'
      where delivery_id in (select delivery_id from due where not is_spent)
      returning delivery_id, account_id, host, attempts, attempts_before
    ), attempted as (
      insert into attempts (delivery_id, number, started_at)
      select delivery_id, attempts, now() from taken
    )
    select taken.delivery_id as "deliveryId", taken.account_id as "accountId", taken.host,
           taken.attempts as number, taken.attempts - taken.attempts_before as turn, url, body,
           case when webhook_secret_before_until > now()
                then array[webhook_secret, webhook_secret_before] else array[webhook_secret] end as secrets,
           jsonb_build_object('hours', webhook_tail_hours,
                              'ageMs', extract(epoch from now() - deliveries.created_at) * 1000) as tail
    from taken
    join deliveries on deliveries.id = taken.delivery_id
    join accounts on accounts.id = taken.account_id`.execute(db);
  return result.rows;
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
      delivered_at = case when ${then === "delivered"} then now() else delivered_at end,
      given_up_at = case when ${then === "given up"} then now() end
    where id = ${attempt.deliveryId} and ${againMs === null}`.execute(db);
}
