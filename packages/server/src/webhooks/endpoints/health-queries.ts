import { sql } from "kysely";
import type { Db, DirectoryDb, Tx } from "../../db/database.ts";
import type { Language } from "../../db/tables/people.ts";
import type { AccountId, EndpointId } from "../../ids.ts";

/** The queries about the health of endpoints. */

export interface HealthChange {
  endpointId: EndpointId;
  status: number | null;
  reason: string | null;
  since: Date;
  isUniform: boolean;
  failures: number;
  failingSince: Date | null;
  lastAttemptAt: Date;
  lastSuccessAt: Date | null;
}

/**
 * Merges new results into the rows. A healthy endpoint is written once a minute. A deleted endpoint gets no
 * row.
 */
export async function saveHealth(db: Db, changes: readonly HealthChange[]): Promise<void> {
  const column = <Name extends keyof HealthChange>(name: Name) => changes.map((one) => one[name]);
  await sql`
    insert into endpoint_health as h (endpoint_id, status, reason, since, failures, failing_since,
                                      last_attempt_at, last_success_at)
    select c.endpoint_id, c.status, c.reason, coalesce(case when c.is_uniform and b.status is not distinct from c.status
             and b.reason is not distinct from c.reason then b.since end, c.since),
           c.failures + case when c.last_success_at is null then coalesce(b.failures, 0) else 0 end,
           case when c.failures > 0 and c.last_success_at is null then coalesce(b.failing_since, c.failing_since)
                else c.failing_since end,
           c.last_attempt_at, coalesce(c.last_success_at, b.last_success_at)
    from unnest(${column("endpointId")}::uuid[], ${column("status")}::smallint[], ${column("reason")}::text[],
                ${column("since")}::timestamptz[], ${column("isUniform")}::boolean[], ${column("failures")}::integer[],
                ${column("failingSince")}::timestamptz[], ${column("lastAttemptAt")}::timestamptz[],
                ${column("lastSuccessAt")}::timestamptz[])
      as c (endpoint_id, status, reason, since, is_uniform, failures, failing_since, last_attempt_at, last_success_at)
    join webhook_endpoints e on e.id = c.endpoint_id
    left join endpoint_health b on b.endpoint_id = c.endpoint_id
    where b.endpoint_id is null or c.failures > 0 or b.failures > 0 or b.status is distinct from c.status
       or b.last_success_at is null or c.last_success_at > b.last_success_at + interval '1 minute'
    order by c.endpoint_id -- as every process does, so that none waits for another in a circle
    on conflict (endpoint_id) do update set
      status = excluded.status, reason = excluded.reason, since = excluded.since, failures = excluded.failures,
      failing_since = excluded.failing_since, last_attempt_at = excluded.last_attempt_at,
      last_success_at = excluded.last_success_at`.execute(db);
}

export interface PausedEndpoint {
  id: EndpointId;
  accountId: AccountId;
  url: string;
}

/** Pauses those of the endpoints that have failed for so many days, each once. */
export async function pauseFailing(
  tx: Tx,
  ids: readonly EndpointId[],
  days: number,
): Promise<PausedEndpoint[]> {
  const { rows } = await sql<PausedEndpoint>`
    update webhook_endpoints e set paused_at = now(), pause_reason = 'failing'
    from endpoint_health h
    where e.id = any (${ids}::uuid[]) and h.endpoint_id = e.id and e.paused_at is null
      and h.failing_since <= now() - ${days} * interval '1 day'
    returning e.id, e.account_id as "accountId", e.url`.execute(tx);
  return rows;
}

const ownersMax = 20;

/**
 * Returns the owners of an account, who are in the directory. A test account's are those of its live
 * account.
 */
export async function listOwners(
  db: DirectoryDb,
  accountId: AccountId,
): Promise<{ email: string; language: Language }[]> {
  const { rows } = await sql<{ email: string; language: Language }>`
    select p.email, p.language from accounts a
    join members m on m.account_id = coalesce(a.test_of, a.id) and m.role = 'owner'
    join people p on p.id = m.person_id
    where a.id = ${accountId} order by m.person_id limit ${ownersMax}`.execute(db);
  return rows;
}
