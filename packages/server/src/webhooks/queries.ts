import { sql } from "kysely";
import { type AttemptEnd, type AttemptResult, attemptsOf } from "../batches/record-attempts.ts";
import type { Connections } from "../db/connections.ts";
import type { Db } from "../db/database.ts";
import { inMs } from "../db/in-ms.ts";
import { changedRows } from "../db/only-row.ts";
import { isNotStuck } from "../db/stuck-rows.ts";
import type { AccountId, DeliveryId, EndpointId, TaskId } from "../ids.ts";
import type { Lane } from "./lanes.ts";

/** The SQL of delivering. Times are the database's. */

export const deliveriesLoop = "deliveries";
const isTakeable = isNotStuck(deliveriesLoop, sql.ref("open_deliveries.delivery_id"));

export interface DueDelivery extends Lane {
  deliveryId: DeliveryId;
  /** The event that it reports, with or without other deliveries. */
  eventId: DeliveryId;
  /** Null: a callback. */
  endpointId: EndpointId | null;
  /** Null: a test event, or one that no task caused. */
  taskId: TaskId | null;
  /** The number of the attempt, over all rounds. */
  number: number;
  /**
   * The start of the attempt, by the database's clock: a receiver refuses timestamps that are too old or in
   * the future.
   */
  startedAt: Date;
  /** The number of the attempt within its round. */
  attemptInRound: number;
  url: string;
  body: string;
  /** The secrets as they are stored. The first always signs; the second during a rotation. */
  secrets: string[];
  tail: { hours: number; ageMs: number };
  /** An internal failure was recorded for it. */
  hasFailed: boolean;
  traceparent: string | null;
}

/**
 * The lanes of the accounts after the given one, a bounded number each. Steps from account to account
 * and lane to lane through the index, so that a lane with many deliveries costs no more than one with
 * few.
 */
export async function listLanes(
  db: Db,
  from: { account: AccountId; hosts: ReadonlyMap<AccountId, string> },
  limits: { accountsMax: number; lanesMax: number },
): Promise<{ lanes: (Lane & { isDue: boolean })[]; lastAccount: AccountId | null }> {
  const { rows } = await sql<{ accountId: AccountId; host: string | null; isDue: boolean }>`
    with recursive owners as (
      (select account_id from open_deliveries where account_id > ${from.account}::uuid
       order by account_id limit 1)
      union all
      select next.account_id from owners cross join lateral (
        select o.account_id from open_deliveries o where o.account_id > owners.account_id
        order by o.account_id limit 1) next
    ), looked_at as (select account_id from owners limit ${limits.accountsMax})
    select looked_at.account_id as "accountId", lane.host, lane.next_attempt_at <= now() as "isDue"
    from looked_at
    left join unnest(${[...from.hosts.keys()]}::uuid[], ${[...from.hosts.values()]}::text[])
      as before (account_id, host) on before.account_id = looked_at.account_id
    left join lateral (
      with recursive lanes as (
        (select o.host, o.next_attempt_at from open_deliveries o
         where o.account_id = looked_at.account_id and o.host > coalesce(before.host, '')
         order by o.host, o.next_attempt_at limit 1)
        union all
        select next.host, next.next_attempt_at from lanes cross join lateral (
          select o.host, o.next_attempt_at from open_deliveries o
          where o.account_id = looked_at.account_id and o.host > lanes.host
          order by o.host, o.next_attempt_at limit 1) next
      ) select host, next_attempt_at from lanes limit ${limits.lanesMax}
    ) as lane on true
    order by looked_at.account_id, lane.host`.execute(db);
  const accounts = new Set(rows.map(({ accountId }) => accountId));
  return {
    lanes: rows.flatMap(({ host, ...row }) => (host === null ? [] : [{ ...row, host }])),
    lastAccount: accounts.size === limits.accountsMax ? ([...accounts].at(-1) ?? null) : null,
  };
}

/**
 * Takes due deliveries of lanes, the longest due first, and counts the attempt before it is made, so
 * that a crash can cost an attempt but never add one. A taken row is due again after the lease: its
 * worker may have died. One that has no attempt left then is given up here, as is one whose endpoint is
 * gone. Rows are named by arrays,
 * which are looked up one by one whatever the plan thinks of the table's size.
 */
export async function takeDueDeliveries(
  db: Db,
  shares: readonly { lane: Lane; rowsMax: number; deliveryId?: DeliveryId }[],
  limits: { attemptsUsual: number; leaseMs: number },
): Promise<DueDelivery[]> {
  if (shares.length === 0) return [];
  const result = await sql<DueDelivery>`
    with due as (
      select o.delivery_id,
             o.attempts - o.attempts_before >= ${limits.attemptsUsual}
               and d.created_at + a.webhook_tail_hours * interval '1 hour' < now()
               or d.endpoint_id is not null and (
                 select e.id from webhook_endpoints e where e.id = d.endpoint_id) is null as is_spent
      from unnest(${shares.map(({ lane }) => lane.accountId)}::uuid[],
                  ${shares.map(({ lane }) => lane.host)}::text[],
                  ${shares.map(({ rowsMax }) => rowsMax)}::integer[],
                  ${shares.map(({ deliveryId = null }) => deliveryId)}::uuid[])
             as share (account_id, host, rows_max, delivery_id)
      cross join lateral (
        select delivery_id, account_id, attempts, attempts_before, next_attempt_at from open_deliveries
        where account_id = share.account_id and host = share.host and next_attempt_at <= now()
          and open_deliveries.delivery_id = coalesce(share.delivery_id, open_deliveries.delivery_id)
          and ${isTakeable}
        order by next_attempt_at limit share.rows_max for update skip locked) o
      join deliveries d on d.id = o.delivery_id
      join accounts a on a.id = o.account_id
    ), spent as (
      delete from open_deliveries
      where delivery_id = any (array(select delivery_id from due where is_spent))
      returning delivery_id
    ), given_up as (
      update deliveries set given_up_at = now() where id = any (array(select delivery_id from spent))
    ), taken as (
      update open_deliveries set
        attempts = attempts + 1,
        next_attempt_at = ${inMs(limits.leaseMs)}
      where delivery_id = any (array(select delivery_id from due where not is_spent))
      returning delivery_id, account_id, host, attempts, attempts_before, traceparent
    ), attempted as (
      insert into attempts (delivery_id, number, started_at)
      select delivery_id, attempts, now() from taken
    )
    select taken.delivery_id as "deliveryId", taken.account_id as "accountId", taken.host,
           deliveries.task_id as "taskId", deliveries.endpoint_id as "endpointId",
           coalesce(deliveries.event_id, deliveries.id) as "eventId",
           taken.attempts as number, taken.attempts - taken.attempts_before as "attemptInRound",
           now() as "startedAt", deliveries.url, body,
           case when e.id is not null and e.secret_before_until > now() then array[e.secret, e.secret_before]
                when e.id is not null then array[e.secret]
                when webhook_secret_before_until > now() then array[webhook_secret, webhook_secret_before]
                else array[webhook_secret] end as secrets,
           jsonb_build_object('hours', webhook_tail_hours,
                              'ageMs', extract(epoch from now() - deliveries.created_at) * 1000) as tail,
           exists (select from stuck_rows
                   where loop = ${deliveriesLoop} and key = taken.delivery_id::text) as "hasFailed",
           traceparent
    from taken
    join deliveries on deliveries.id = taken.delivery_id
    join accounts on accounts.id = taken.account_id
    left join lateral ( -- with a limit: looked up row by row, never joined as a whole
      select id, secret, secret_before, secret_before_until from webhook_endpoints
      where id = deliveries.endpoint_id limit 1) e on true`.execute(db);
  return result.rows;
}

/** The due deliveries of a lane. */
export async function listDueIds(
  db: Db,
  { lane, rowsMax }: { lane: Lane; rowsMax: number },
): Promise<DeliveryId[]> {
  const rows = await db
    .selectFrom("open_deliveries")
    .select("delivery_id as id")
    .where("account_id", "=", lane.accountId)
    .where("host", "=", lane.host)
    .where("next_attempt_at", "<=", sql<Date>`now()`)
    .where(isTakeable)
    .orderBy("next_attempt_at")
    .limit(rowsMax)
    .execute();
  return rows.map(({ id }) => id);
}

/** Ends a delivery without further attempts. Returns whether it was open. */
export async function giveUpDelivery(db: Db, deliveryId: DeliveryId): Promise<boolean> {
  const ended = await sql`
    with closed as (
      delete from open_deliveries where delivery_id = ${deliveryId}::uuid returning delivery_id
    )
    update deliveries set given_up_at = now()
    where id = ${deliveryId}::uuid and exists (select from closed)`.execute(db);
  return changedRows(ended) > 0;
}

/** Those who record an attempt at the same moment share a transaction. */
export async function recordAttempt(
  pool: Connections,
  attempt: { deliveryId: DeliveryId; number: number },
  result: AttemptResult,
  then: AttemptEnd,
): Promise<void> {
  await attemptsOf(pool)({ ...attempt, result, then });
}
