import { sql } from "kysely";
import { callFunctionIn, type Db, type Tx } from "../../db/database.ts";
import { changedRows, onlyRow } from "../../db/only-row.ts";
import type { AccountId, DeliveryId, EndpointId } from "../../ids.ts";
import type { EventType } from "./event-types.ts";

/** The SQL of webhook endpoints. */

export const endpointsMax = 10;

export interface EndpointRow {
  id: EndpointId;
  url: string;
  events: EventType[] | null;
  description: string;
  pausedAt: Date | null;
  pauseReason: "owner" | "failing" | null;
  createdAt: Date;
  health: Health | null;
}

/** Times in milliseconds. */
interface Health {
  status: number | null;
  reason: string | null;
  since: number;
  failures: number;
  failingSince: number | null;
  lastAttemptAt: number;
  lastSuccessAt: number | null;
}

const ms = (column: string) => sql`round(extract(epoch from ${sql.ref(column)}) * 1000)`;
const columns = sql`
  e.id, e.url, e.events, e.description, e.paused_at as "pausedAt", e.pause_reason as "pauseReason",
  e.created_at as "createdAt",
  (select jsonb_build_object('status', h.status, 'reason', h.reason, 'since', ${ms("h.since")}, 'failures', h.failures,
     'failingSince', ${ms("h.failing_since")}, 'lastAttemptAt', ${ms("h.last_attempt_at")},
     'lastSuccessAt', ${ms("h.last_success_at")})
   from endpoint_health h where h.endpoint_id = e.id) as health`;

export async function listEndpoints(db: Db, accountId: AccountId): Promise<EndpointRow[]> {
  const { rows } = await sql<EndpointRow>`
    select ${columns} from webhook_endpoints e where e.account_id = ${accountId}
    order by e.id limit ${endpointsMax}`.execute(db);
  return rows;
}

export async function findEndpoint(
  db: Db,
  accountId: AccountId,
  id: EndpointId,
  isLocked = false,
): Promise<EndpointRow | undefined> {
  const { rows } = await sql<EndpointRow>`
    select ${columns} from webhook_endpoints e where e.id = ${id} and e.account_id = ${accountId}
    ${isLocked ? sql`for update of e` : sql``}`.execute(db);
  return rows[0];
}

export async function countEndpoints(tx: Tx, accountId: AccountId): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) from webhook_endpoints where account_id = ${accountId}`.execute(tx);
  return onlyRow(rows).count;
}

export async function insertEndpoint(
  tx: Tx,
  endpoint: Pick<EndpointRow, "id" | "url" | "events" | "description"> & {
    accountId: AccountId;
    secret: string;
  },
): Promise<void> {
  const { id, accountId, url, events, description, secret } = endpoint;
  await tx
    .insertInto("webhook_endpoints")
    .values({ id, account_id: accountId, url, events, description, secret })
    .execute();
}

export async function updateEndpoint(
  tx: Tx,
  id: EndpointId,
  to: Pick<EndpointRow, "url" | "events" | "description"> & { isPaused: boolean },
): Promise<void> {
  const { url, events, description, isPaused } = to;
  await tx
    .updateTable("webhook_endpoints")
    .set({
      url,
      events,
      description,
      paused_at: isPaused ? sql<Date>`coalesce(paused_at, now())` : null,
      pause_reason: isPaused ? sql<"owner" | "failing">`coalesce(pause_reason, 'owner')` : null,
    })
    .where("id", "=", id)
    .execute();
}

/** A new start: what failed before does not pause it again. */
export async function forgetFailures(tx: Tx, id: EndpointId): Promise<void> {
  await sql`update endpoint_health set failures = 0, failing_since = null
    where endpoint_id = ${id}`.execute(tx);
}

/** Its deliveries stay on record; open ones are given up when they become due. */
export async function deleteEndpoint(tx: Tx, id: EndpointId): Promise<void> {
  await sql`delete from endpoint_health where endpoint_id = ${id}`.execute(tx);
  await sql`delete from webhook_endpoints where id = ${id}`.execute(tx);
}

export async function readStored(db: Db, accountId: AccountId, id: EndpointId) {
  const { rows } = await sql<{ stored: string; previousUntil: Date | null }>`
    select secret as stored,
           case when secret_before_until > now() then secret_before_until end as "previousUntil"
    from webhook_endpoints where id = ${id} and account_id = ${accountId}`.execute(db);
  return rows[0];
}

/** The previous secret is kept for the overlap; an older one ends immediately. */
export async function replaceEndpointSecret(
  tx: Tx,
  id: EndpointId,
  stored: string,
  overlapHours: number,
): Promise<void> {
  await sql`update webhook_endpoints set secret = ${stored}, secret_before = secret,
      secret_before_until = now() + ${overlapHours} * interval '1 hour'
    where id = ${id}`.execute(tx);
}

/** Queues an event that is not the end of a task, in the transaction that causes it. */
export async function queueEvent(
  tx: Tx,
  event: { accountId: AccountId; id: DeliveryId; type: EventType; data: object },
): Promise<number> {
  const { queued } = await callFunctionIn(tx, "queue_event", {
    account_id: event.accountId,
    event_id: event.id,
    type: event.type,
    data: JSON.stringify(event.data),
  });
  return queued;
}

export async function readCreditsLow(db: Db, accountId: AccountId): Promise<number | null> {
  const row = await db
    .selectFrom("accounts")
    .select("credits_low as creditsLow")
    .where("id", "=", accountId)
    .executeTakeFirstOrThrow();
  return row.creditsLow;
}

export async function setCreditsLow(
  tx: Tx,
  accountId: AccountId,
  creditsLow: number | null,
): Promise<void> {
  await tx
    .updateTable("accounts")
    .set({ credits_low: creditsLow })
    .where("id", "=", accountId)
    .execute();
}

/** Erases the endpoints of an account, as the owner of the schema. Returns their number. */
export async function eraseEndpoints(db: Db, accountId: AccountId): Promise<number> {
  await sql`delete from endpoint_health where endpoint_id in (
    select id from webhook_endpoints where account_id = ${accountId})`.execute(db);
  const gone = await sql`delete from webhook_endpoints where account_id = ${accountId}`.execute(db);
  return changedRows(gone);
}
