import { type RawBuilder, sql } from "kysely";
import type { Context } from "../context.ts";
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

interface Page {
  rows: AuditRow[];
  /** Where the next page begins; null: there is nothing older. */
  last: AuditId | null;
}

/** Where entries are: those of an account in its shard, those about its people at home. */
export type AuditPlace = Pick<Context, "db" | "home">;

/**
 * Newest first, of the shard and of home. A page may have fewer entries than it could, or none, when the
 * action is rare.
 */
export async function listAudit(place: AuditPlace, page: AuditPage): Promise<Page> {
  if (place.db === place.home.db) return listOwnAudit(place, page);
  const own = await findPage(place.db, page);
  const home = await findPage(place.home.db, page);
  // What lies below the end of one of the two is not known to be the next of both.
  const ends = [own.last, home.last].filter((last) => last !== null).sort();
  const end = ends.at(-1) ?? null;
  const all = [...new Set([...own.ids, ...home.ids])].sort().reverse();
  const ids = all.filter((id) => end === null || id >= end).slice(0, page.limit);
  const last = ids.length === page.limit ? (ids.at(-1) ?? null) : end;
  // Of an account that has moved, both may have the same: its own has the names of its keys.
  const found = [...(await readEntries(place.home.db, ids)), ...(await readEntries(place.db, ids))];
  const byId = new Map(found.map((row) => [row.id, row]));
  const rows = ids.flatMap((id) => byId.get(id) ?? []);
  return { rows: await withNames(place.home.db, rows), last };
}

/** The same of the shard alone. */
export async function listOwnAudit({ db, home }: AuditPlace, page: AuditPage): Promise<Page> {
  const { ids, last } = await findPage(db, page);
  return { rows: await withNames(home.db, await readEntries(db, ids)), last };
}

async function findPage(
  db: Db,
  { accountId, personId, action, before, limit }: AuditPage,
): Promise<{ ids: AuditId[]; last: AuditId | null }> {
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
  return { ids, last: isFull ? (ids.at(-1) ?? null) : scanned === scanMax ? oldest : null };
}

/** An entry before its person is looked up. */
interface Entry extends Omit<AuditRow, "actorName" | "actorEmail" | "isMember" | "isStaff"> {
  personId: PersonId | null;
  /** The account whose people it may be: that of a test account is its live account. */
  liveAccountId: AccountId | null;
  keyName: string | null;
}

async function readEntries(db: Db, ids: readonly AuditId[]): Promise<Entry[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<Entry>`
    select e.id, e.account_id as "accountId", e.actor_kind as "actorKind", e.actor, e.person_id as "personId",
           coalesce(a.test_of, a.id) as "liveAccountId", k.name as "keyName",
           e.action, e.object, e.before, e.after, e.reason, host(e.address) as address,
           e.request_id as "requestId", e.created_at as "createdAt"
    from audit_entries e
    left join api_keys k on k.id = case when e.actor_kind = 'key' then e.actor::uuid end
    left join accounts a on a.id = e.account_id
    where e.id = any (${[...ids]}::uuid[]) order by e.id desc`.execute(db);
  return rows;
}

async function withNames(home: Db, entries: readonly Entry[]): Promise<AuditRow[]> {
  const people = await readPeople(home, entries);
  return entries.map(({ personId, liveAccountId, keyName, ...entry }) => {
    const person = personId === null ? undefined : people.get(personId);
    return {
      ...entry,
      actorName: person?.name ?? keyName,
      actorEmail: person?.email ?? null,
      isMember: liveAccountId !== null && person?.accountIds.includes(liveAccountId) === true,
      isStaff: person?.isStaff ?? false,
    };
  });
}

interface Person {
  id: PersonId;
  name: string;
  email: string;
  isStaff: boolean;
  /** Those of the given accounts that it is a member of. */
  accountIds: AccountId[];
}

/** People are at home, wherever their accounts live. */
async function readPeople(
  home: Db,
  entries: readonly Entry[],
): Promise<ReadonlyMap<PersonId, Person>> {
  const ids = [...new Set(entries.flatMap(({ personId }) => personId ?? []))];
  if (ids.length === 0) return new Map();
  const accountIds = [...new Set(entries.flatMap(({ liveAccountId }) => liveAccountId ?? []))];
  const { rows } = await sql<Person>`
    select p.id, p.name, p.email, exists (select from staff where person_id = p.id) as "isStaff",
           array(select account_id from members
                 where person_id = p.id and account_id = any (${accountIds}::uuid[])) as "accountIds"
    from people p where p.id = any (${ids}::uuid[])`.execute(home);
  return new Map(rows.map((person) => [person.id, person]));
}
