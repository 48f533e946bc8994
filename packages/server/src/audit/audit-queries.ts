import { type RawBuilder, sql } from "kysely";
import type { Db } from "../db/database.ts";
import type { AuditValues } from "../db/tables/audit.ts";
import type { AccountId, AuditId, PersonId } from "../ids.ts";

/** The SQL of reading the audit. */

/** Entries that one request looks through for an action: the indexes are by account and by person. */
const scannedMax = 10_000;

export interface AuditRow {
  id: AuditId;
  accountId: AccountId | null;
  actorKind: "key" | "person" | "command";
  actor: string;
  /** Of the person or key, while there is one. */
  actorName: string | null;
  actorEmail: string | null;
  isMember: boolean;
  isStaff: boolean;
  action: string;
  object: string;
  before: AuditValues | null;
  after: AuditValues | null;
  reason: string | null;
  address: string | null;
  requestId: string | null;
  createdAt: Date;
}

export interface AuditPage {
  accountId: AccountId | null;
  personId: PersonId | null;
  /** The beginning of the action. */
  action: string | null;
  before: AuditId | null;
  limit: number;
}

/**
 * Newest first. `last`: where the next page begins; null: there is nothing older. A page may have fewer
 * entries than it could, or none, when the action is rare.
 */
export async function listAudit(
  db: Db,
  { accountId, personId, action, before, limit }: AuditPage,
): Promise<{ rows: AuditRow[]; last: AuditId | null }> {
  const conditions: RawBuilder<unknown>[] = [sql`true`];
  if (accountId !== null) conditions.push(sql`account_id = ${accountId}`);
  if (personId !== null) conditions.push(sql`person_id = ${personId}`);
  if (before !== null) conditions.push(sql`id < ${before}::uuid`);
  const scanMax = action === null ? limit : scannedMax;
  const isMeant = action === null ? sql`true` : sql`starts_with(action, ${action})`;
  const { rows } = await sql<{ ids: AuditId[]; scanned: number; oldest: AuditId | null }>`
    with scan as materialized (
      select id, action from audit_entries where ${sql.join(conditions, sql` and `)}
      order by id desc limit ${scanMax})
    select array(select id from scan where ${isMeant} order by id desc limit ${limit}) as ids,
           count(*)::int as scanned, min(id::text)::uuid as oldest from scan`.execute(db);
  const { ids = [], scanned = 0, oldest = null } = rows[0] ?? {};
  const isFull = ids.length === limit;
  const last = isFull ? (ids.at(-1) ?? null) : scanned === scanMax ? oldest : null;
  return { rows: await readEntries(db, ids), last };
}

async function readEntries(db: Db, ids: readonly AuditId[]): Promise<AuditRow[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<AuditRow>`
    select e.id, e.account_id as "accountId", e.actor_kind as "actorKind", e.actor,
           coalesce(p.name, k.name) as "actorName", p.email as "actorEmail",
           m.person_id is not null as "isMember", s.person_id is not null as "isStaff",
           e.action, e.object, e.before, e.after, e.reason, host(e.address) as address,
           e.request_id as "requestId", e.created_at as "createdAt"
    from audit_entries e
    left join people p on p.id = e.person_id
    left join staff s on s.person_id = e.person_id
    left join api_keys k on k.id = case when e.actor_kind = 'key' then e.actor::uuid end
    left join accounts a on a.id = e.account_id
    left join members m on m.person_id = e.person_id and m.account_id = coalesce(a.test_of, a.id)
    where e.id = any (${[...ids]}::uuid[]) order by e.id desc`.execute(db);
  return rows;
}
