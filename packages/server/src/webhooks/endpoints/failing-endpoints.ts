import { sql } from "kysely";
import type { Db } from "../../db/database.ts";
import type { AccountId, EndpointId } from "../../ids.ts";

const endpointsMax = 100;

/**
 * Endpoints `e` with health `h` that need somebody: they fail and are tried. One that was paused for failing
 * counts for a day, one that its owner paused does not.
 */
export const failingNow = sql`h.failing_since is not null
  and (e.paused_at is null or (e.pause_reason = 'failing' and h.last_attempt_at > now() - interval '24 hours'))`;

interface FailingEndpoint {
  endpointId: EndpointId;
  accountId: AccountId;
  /** The host without the path, which may have a secret in it. */
  host: string;
  failures: number;
  failingSince: Date;
  isPaused: boolean;
  lastAttemptAt: Date;
  lastStatus: number | null;
  lastReason: string | null;
}

/** Those that fail for the longest time first. */
export async function listFailingEndpoints(db: Db): Promise<FailingEndpoint[]> {
  const { rows } = await sql<FailingEndpoint>`
    select e.id as "endpointId", e.account_id as "accountId",
           coalesce(substring(e.url from '^https?://([^/?#]+)'), '') as host, h.failures,
           h.failing_since as "failingSince", e.paused_at is not null as "isPaused",
           h.last_attempt_at as "lastAttemptAt", h.status as "lastStatus", h.reason as "lastReason"
    from endpoint_health h join webhook_endpoints e on e.id = h.endpoint_id
    where ${failingNow} order by h.failing_since, e.id limit ${endpointsMax}`.execute(db);
  return rows;
}
