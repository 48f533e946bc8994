import { type RawBuilder, sql } from "kysely";
import type { Context } from "../../context.ts";
import { callFunctionIn, type Db, type DirectoryDb } from "../../db/database.ts";
import { changedRows } from "../../db/only-row.ts";
import type { AccountId, KeyId, LoggedRequestId, PersonId } from "../../ids.ts";

/** Requests that one page looks through for a status: the index is by account and time. */
const scannedMax = 10_000;

export interface LoggedRequest {
  id: LoggedRequestId;
  accountId: AccountId;
  keyId: KeyId | null;
  personId: PersonId | null;
  method: string;
  route: string;
  status: number;
  errorCode: string | null;
  requestId: string;
  durationMs: number;
}

/** Saves requests in the partition of today, by the database's clock. */
export async function saveRequests(db: Db, requests: readonly LoggedRequest[]): Promise<void> {
  const all = <Value>(read: (request: LoggedRequest) => Value) => requests.map(read);
  await sql`
    insert into logged_requests (id, slot, account_id, key_id, person_id, method, route, status, error_code,
                                 request_id, duration_ms)
    select id, floor(extract(epoch from now()) / 86400)::bigint % 8, account_id, key_id, person_id, method, route,
           status, error_code, request_id, duration_ms
    from unnest(${all(({ id }) => id)}::uuid[], ${all(({ accountId }) => accountId)}::uuid[],
                ${all(({ keyId }) => keyId)}::uuid[], ${all(({ personId }) => personId)}::uuid[],
                ${all(({ method }) => method)}::text[], ${all(({ route }) => route)}::text[],
                ${all(({ status }) => status)}::smallint[], ${all(({ errorCode }) => errorCode)}::text[],
                ${all(({ requestId }) => requestId)}::uuid[], ${all(({ durationMs }) => durationMs)}::integer[])
      as r (id, account_id, key_id, person_id, method, route, status, error_code, request_id, duration_ms)`.execute(
    db,
  );
}

export interface RequestFilter {
  accountId: AccountId;
  requestId: string | null;
  /** The statuses from one to another, both included. */
  statuses: { least: number; most: number } | null;
  from: string;
  before: string;
  limit: number;
}

export type RequestRow = LoggedRequest & { keyName: string | null; personName: string | null };

/** Newest first. `last`: where the next page begins; null: there is nothing older. */
export async function listRequests(
  { db, directory }: Pick<Context, "db" | "directory">,
  { accountId, requestId, statuses, from, before, limit }: RequestFilter,
): Promise<{ rows: RequestRow[]; last: LoggedRequestId | null }> {
  const conditions: RawBuilder<unknown>[] = [
    sql`account_id = ${accountId} and id >= ${from}::uuid and id < ${before}::uuid`,
  ];
  if (requestId !== null) conditions.push(sql`request_id = ${requestId}::uuid`);
  const scanMax = statuses === null ? limit : scannedMax;
  const isMeant =
    statuses === null
      ? sql`true`
      : sql`status between ${statuses.least}::integer and ${statuses.most}::integer`;
  const { rows: found } = await sql<{
    ids: LoggedRequestId[];
    scanned: number;
    oldest: LoggedRequestId | null;
  }>`
    with scan as materialized (
      select id, status from logged_requests where ${sql.join(conditions, sql` and `)}
      order by id desc limit ${scanMax})
    select array(select id from scan where ${isMeant} order by id desc limit ${limit}) as ids,
           count(*)::int as scanned, min(id::text)::uuid as oldest from scan`.execute(db);
  const { ids = [], scanned = 0, oldest = null } = found[0] ?? {};
  const isFull = ids.length === limit;
  const last = isFull ? (ids.at(-1) ?? null) : scanned === scanMax ? oldest : null;
  return { rows: await withNames(directory.db, await readRows(db, accountId, ids)), last };
}

async function readRows(
  db: Db,
  accountId: AccountId,
  ids: readonly LoggedRequestId[],
): Promise<Omit<RequestRow, "personName">[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<Omit<RequestRow, "personName">>`
    select r.id, r.account_id as "accountId", r.key_id as "keyId", r.person_id as "personId", r.method, r.route,
           r.status, r.error_code as "errorCode", r.request_id as "requestId", r.duration_ms as "durationMs",
           k.name as "keyName"
    from logged_requests r
    left join api_keys k on k.id = r.key_id
    where r.account_id = ${accountId} and r.id = any (${[...ids]}::uuid[]) order by r.id desc`.execute(
    db,
  );
  return rows;
}

/** People are in the directory, wherever their accounts live. */
async function withNames(
  directory: DirectoryDb,
  rows: readonly Omit<RequestRow, "personName">[],
): Promise<RequestRow[]> {
  const ids = [...new Set(rows.flatMap(({ personId }) => personId ?? []))];
  const people =
    ids.length === 0
      ? []
      : await directory
          .selectFrom("people")
          .select(["id", "name"])
          .where("id", "in", ids)
          .execute();
  const names = new Map(people.map(({ id, name }) => [id, name]));
  return rows.map((row) => ({
    ...row,
    personName: row.personId === null ? null : (names.get(row.personId) ?? null),
  }));
}

/** Empties the partition that is next; rows stay for seven days. */
export async function clearOldRequests(db: Db): Promise<boolean> {
  const { had_rows } = await callFunctionIn(db, "clear_old_requests", {});
  return had_rows;
}

/** Erases the requests of an account, as the owner of the schema. */
export async function eraseRequests(db: Db, accountId: AccountId): Promise<number> {
  return changedRows(
    await sql`delete from logged_requests where account_id = ${accountId}`.execute(db),
  );
}
