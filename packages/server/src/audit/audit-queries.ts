import { type RawBuilder, sql } from "kysely";
import type { Context } from "../context.ts";
import type { DirectoryDb, SharedDb } from "../db/database.ts";
import type { AuditValues } from "../db/tables/audit.ts";
import type { AccountId, AuditId, PersonId } from "../ids.ts";

/** The SQL of reading the audit. */

/** Entries that one request looks through for an action: the indexes are by account and by person. */
const scannedMax = 10_000;

export interface AuditRow {
  id: AuditId;
  accountId: AccountId | null;
  actorKind: "key" | "person" | "command" | "service";
  actor: string;
  /** The name of the person or key, while it exists. */
  actorName: string | null;
  actorEmail: string | null;
  isMember: boolean;
  isStaff: boolean;
  /** Null: from before it was noted. */
  asStaff: boolean | null;
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
  /** The id at which the next page begins; null: there is nothing older. */
  last: AuditId | null;
}

/**
 * The databases of entries: those of an account are in its shard, those about its people in the directory.
 */
export type AuditContext = Pick<Context, "db" | "directory">;

/**
 * Newest first, of the shard and of the directory. A page may have fewer entries than it could, or none,
 * when the action is rare.
 */
export async function listAudit(ctx: AuditContext, page: AuditPage): Promise<Page> {
  if (ctx.directory.shard !== null) return listOwnAudit(ctx, page);
  const ofShard = await findPage(ctx.db, page);
  const directory = await findPage(ctx.directory.db, page);
  // What lies below the end of one of the two is not known to be the next of both.
  const ends = [ofShard.last, directory.last].filter((last) => last !== null).sort();
  const end = ends.at(-1) ?? null;
  const all = [...new Set([...ofShard.ids, ...directory.ids])].sort().reverse();
  const ids = all.filter((id) => end === null || id >= end).slice(0, page.limit);
  const last = ids.length === page.limit ? (ids.at(-1) ?? null) : end;
  // Of an account that has moved, both may have the same: its own has the names of its keys.
  const found = [
    ...(await readEntries(ctx.directory.db, ids)),
    ...(await readEntries(ctx.db, ids)),
  ];
  const byId = new Map(found.map((row) => [row.id, row]));
  const rows = ids.flatMap((id) => byId.get(id) ?? []);
  return { rows: await withNames(ctx.directory.db, rows), last };
}

/** Returns the audit of the shard alone. */
export async function listOwnAudit(
  { db, directory }: AuditContext,
  page: AuditPage,
): Promise<Page> {
  const { ids, last } = await findPage(db, page);
  return { rows: await withNames(directory.db, await readEntries(db, ids)), last };
}

async function findPage(
  db: SharedDb,
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

async function readEntries(db: SharedDb, ids: readonly AuditId[]): Promise<Entry[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<Entry>`
    select e.id, e.account_id as "accountId", e.actor_kind as "actorKind", e.actor, e.person_id as "personId",
           e.as_staff as "asStaff",
           coalesce(a.test_of, a.id) as "liveAccountId", k.name as "keyName",
           e.action, e.object, e.before, e.after, e.reason, host(e.address) as address,
           e.request_id as "requestId", e.created_at as "createdAt"
    from audit_entries e
    left join api_keys k on k.id = case when e.actor_kind = 'key' then e.actor::uuid end
    left join accounts a on a.id = e.account_id
    where e.id = any (${[...ids]}::uuid[]) order by e.id desc`.execute(db);
  return rows;
}

async function withNames(directory: DirectoryDb, entries: readonly Entry[]): Promise<AuditRow[]> {
  const people = await readPeople(directory, entries);
  const services = await readServiceKeyNames(directory, entries);
  return entries.map(({ personId, liveAccountId, keyName, ...entry }) => {
    const person = personId === null ? undefined : people.get(personId);
    return {
      ...entry,
      actorName: services.get(entry.actor) ?? person?.name ?? keyName,
      actorEmail: person?.email ?? null,
      isMember: liveAccountId !== null && person?.accountIds.includes(liveAccountId) === true,
      isStaff: person?.isStaff ?? false,
    };
  });
}

/** The names of the service keys among the actors. They are in the directory. */
async function readServiceKeyNames(
  directory: DirectoryDb,
  entries: readonly Entry[],
): Promise<ReadonlyMap<string, string>> {
  const ids = entries.flatMap(({ actorKind, actor }) => (actorKind === "service" ? actor : []));
  if (ids.length === 0) return new Map();
  const { rows } = await sql<{ id: string; name: string }>`
    select id, name from service_keys where id = any (${[...new Set(ids)]}::uuid[])`.execute(
    directory,
  );
  return new Map(rows.map(({ id, name }) => [id, name]));
}

interface Person {
  id: PersonId;
  name: string;
  email: string;
  isStaff: boolean;
  /** Those of the given accounts that it is a member of. */
  accountIds: AccountId[];
}

/** People are in the directory, wherever their accounts live. */
async function readPeople(
  directory: DirectoryDb,
  entries: readonly Entry[],
): Promise<ReadonlyMap<PersonId, Person>> {
  const ids = [...new Set(entries.flatMap(({ personId }) => personId ?? []))];
  if (ids.length === 0) return new Map();
  const accountIds = [...new Set(entries.flatMap(({ liveAccountId }) => liveAccountId ?? []))];
  const { rows } = await sql<Person>`
    select p.id, p.name, p.email, exists (select from staff where person_id = p.id) as "isStaff",
           array(select account_id from members
                 where person_id = p.id and account_id = any (${accountIds}::uuid[])) as "accountIds"
    from people p where p.id = any (${ids}::uuid[])`.execute(directory);
  return new Map(rows.map((person) => [person.id, person]));
}
