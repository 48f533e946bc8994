import { sql } from "kysely";
import { AccountMoved } from "../accounts/account-moved.ts";
import type { Db } from "../db/database.ts";
import { changedRows } from "../db/only-row.ts";
import type { AccountId, DeliveryId, EndpointId, TaskId } from "../ids.ts";
import type { DeliveriesQuery } from "./schema.ts";

/** The SQL of deliveries: reading them, redelivery, tests and secrets. */

/** The query, with its ids parsed. */
export interface DeliveriesPage extends DeliveriesQuery {
  taskId?: TaskId | undefined;
  endpointId?: EndpointId | undefined;
  cursor?: DeliveryId | undefined;
}

export interface DeliveryRow {
  id: DeliveryId;
  taskId: TaskId | null;
  endpointId: EndpointId | null;
  eventId: DeliveryId;
  url: string;
  body: string;
  deliveredAt: Date | null;
  givenUpAt: Date | null;
  nextAttemptAt: Date | null;
  rounds: number;
  attempts: {
    number: number;
    at: number;
    status: number | null;
    durationMs: number | null;
    reason: string | null;
  }[];
}

const columns = sql`
  d.id, d.task_id as "taskId", d.endpoint_id as "endpointId", coalesce(d.event_id, d.id) as "eventId", d.url, d.body,
  d.delivered_at as "deliveredAt", d.given_up_at as "givenUpAt", d.rounds,
  (select next_attempt_at from open_deliveries where delivery_id = d.id) as "nextAttemptAt",
  coalesce((select jsonb_agg(jsonb_build_object(
      'number', t.number, 'at', round(extract(epoch from t.started_at) * 1000), 'status', t.status,
      'durationMs', t.duration_ms, 'reason', t.reason) order by t.number)
    from attempts t where t.delivery_id = d.id), '[]'::jsonb) as attempts`;

/**
 * The condition for deliveries with this outcome. Open ones are pending, also a redelivery of a delivered
 * one. The first condition of the others matches their index; the second is looked up row by row.
 */
function isOutcome(outcome: "pending" | "delivered" | "failed") {
  const openId = sql`(select delivery_id from open_deliveries where delivery_id = d.id)`;
  if (outcome === "pending") return sql`${openId} is not null`;
  if (outcome === "delivered") return sql`d.delivered_at is not null and ${openId} is null`;
  return sql`d.delivered_at is null and d.given_up_at is not null and ${openId} is null`;
}

/** Compared as text: by the index of the endpoint, never by that of the account. */
function isOfEndpoint(accountId: AccountId, endpointId: EndpointId) {
  return sql`d.endpoint_id = ${endpointId}::uuid and d.account_id::text = ${accountId}`;
}

/** The ids of a page. Every filter has an index in this order. */
function idsOfPage(
  accountId: AccountId,
  { taskId, endpointId, outcome, cursor, limit }: DeliveriesPage,
) {
  const isBefore = (id: ReturnType<typeof sql>) =>
    cursor === undefined ? sql`` : sql`and ${id} < ${cursor}::uuid`;
  if (taskId === undefined && outcome === "pending")
    return sql`select delivery_id as id from open_deliveries
               where account_id = ${accountId} ${isBefore(sql`delivery_id`)}
               order by delivery_id desc limit ${limit + 1}`;
  // Materialized: a task has few deliveries, and the rest of the conditions must not choose another index.
  const source =
    taskId === undefined
      ? sql`deliveries`
      : sql`(with of_task as materialized (
               select id, account_id, delivered_at, given_up_at from deliveries where task_id = ${taskId}::uuid)
             select id, account_id, delivered_at, given_up_at from of_task)`;
  return sql`select d.id from ${source} d
             where ${endpointId === undefined ? sql`d.account_id = ${accountId}` : isOfEndpoint(accountId, endpointId)} ${isBefore(sql`d.id`)}
               ${outcome === undefined ? sql`` : sql`and ${isOutcome(outcome)}`}
             order by d.id desc limit ${limit + 1}`;
}

/** Newest first, before the cursor; one more than requested, to know whether there is another page. */
export async function listDeliveries(
  db: Db,
  accountId: AccountId,
  query: DeliveriesPage,
): Promise<DeliveryRow[]> {
  const { rows } = await sql<DeliveryRow>`
    select ${columns} from deliveries d
    where d.id = any (array(${idsOfPage(accountId, query)})) order by d.id desc`.execute(db);
  return rows;
}

export async function findDelivery(
  db: Db,
  accountId: AccountId,
  deliveryId: DeliveryId,
): Promise<DeliveryRow | undefined> {
  const { rows } = await sql<DeliveryRow>`
    select ${columns} from deliveries d
    where d.account_id = ${accountId} and d.id = ${deliveryId}::uuid`.execute(db);
  return rows[0];
}

export const hostOf = sql`coalesce(substring(d.url from '^https?://([^/?#]+)'), '')`;

/** The maximum number of redeliveries of one delivery. */
export const roundsMax = 20;

/** Starts a new round of attempts for an ended delivery; an open one continues as it is. */
export async function reopenDelivery(db: Db, deliveryId: DeliveryId): Promise<number> {
  return reopen(db, sql`d.id = ${deliveryId}::uuid`, 1);
}

/** Reopens the deliveries of a time range, oldest first. */
export async function reopenDeliveries(
  db: Db,
  range: {
    accountId: AccountId;
    endpointId?: EndpointId | undefined;
    from: Date;
    to: Date;
    outcome: "delivered" | "failed";
  },
  rowsMax: number,
): Promise<number> {
  const { accountId, endpointId, from, to, outcome } = range;
  const isMeant =
    endpointId === undefined
      ? sql`d.account_id = ${accountId}`
      : isOfEndpoint(accountId, endpointId);
  return reopen(
    db,
    sql`${isMeant} and d.id >= id_floor(${from}) and d.id < id_floor(${to})
      and ${isOutcome(outcome)}`,
    rowsMax,
  );
}

/** Looked up row by row: a join might read all endpoints. */
const endpointUrl = sql`(select e.url from webhook_endpoints e where e.id = d.endpoint_id)`;

/** Reopens deliveries with the endpoint's current address. A deleted endpoint gets nothing. */
async function reopen(db: Db, condition: ReturnType<typeof sql>, rowsMax: number): Promise<number> {
  const reopened = await sql`
    with meant as (
      select d.id, d.account_id, coalesce(${endpointUrl}, d.url) as url,
             coalesce((select max(number) from attempts t where t.delivery_id = d.id), 0) as attempts
      from deliveries d
      where ${condition} and d.rounds < ${roundsMax} and (d.endpoint_id is null or ${endpointUrl} is not null)
      order by d.id limit ${rowsMax}
    ), here as materialized ( -- waits for an account that is moving, and leaves it out once it has
      select a.id from accounts a where a.id in (select account_id from meant) and a.moved_to is null for key share
    ), opened as (
      insert into open_deliveries (delivery_id, account_id, host, attempts, attempts_before, next_attempt_at)
      select d.id, d.account_id, ${hostOf}, d.attempts, d.attempts, now() from meant d
      where d.account_id in (select id from here)
      on conflict (delivery_id) do nothing returning delivery_id
    )
    update deliveries set given_up_at = null, rounds = rounds + 1,
                          url = (select url from meant where meant.id = deliveries.id)
    where id = any (array(select delivery_id from opened))`.execute(db);
  return changedRows(reopened);
}

/** A delivery without a task. */
export async function insertTestDelivery(
  db: Db,
  delivery: {
    id: DeliveryId;
    accountId: AccountId;
    endpointId?: EndpointId | null;
    url: string;
    body: string;
  },
): Promise<void> {
  const { id, accountId, endpointId = null, url, body } = delivery;
  const queued = await sql`
    with here as materialized (
      select from accounts where id = ${accountId} and moved_to is null for key share
    ), d as (
      insert into deliveries (id, account_id, endpoint_id, url, body)
      select ${id}, ${accountId}, ${endpointId}, ${url}, ${body} from here
      returning id, account_id, url
    )
    insert into open_deliveries (delivery_id, account_id, host, next_attempt_at)
    select id, account_id, ${hostOf}, now() from d`.execute(db);
  if (changedRows(queued) === 0) throw new AccountMoved();
}

export async function readSecret(db: Db, accountId: AccountId) {
  return db
    .selectFrom("accounts")
    .select([
      "webhook_secret as stored",
      sql<Date | null>`case when webhook_secret_before_until > now() then webhook_secret_before_until end`.as(
        "previousUntil",
      ),
    ])
    .where("id", "=", accountId)
    .executeTakeFirstOrThrow();
}

/** The previous secret is kept for the overlap; an older one ends immediately. */
export async function replaceSecret(
  db: Db,
  accountId: AccountId,
  stored: string,
  overlapHours: number,
): Promise<void> {
  await db
    .updateTable("accounts")
    .set({
      webhook_secret: stored,
      webhook_secret_before: sql`webhook_secret`,
      webhook_secret_before_until: sql<Date>`now() + ${overlapHours} * interval '1 hour'`,
    })
    .where("id", "=", accountId)
    .execute();
}
