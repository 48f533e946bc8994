import { sql } from "kysely";
import type { Db, Tx } from "../db/database.ts";
import { changedRows, onlyRow } from "../db/only-row.ts";
import type { AccountId } from "../ids.ts";

/** The usage and limits of an account's library. */
export interface Library {
  storedBytes: number;
  openAssetsMax: number;
  openUploadsMax: number;
  storedBytesMax: number;
}

/** The deployment's limits, for accounts without limits of their own. */
export type LibraryDefaults = Omit<Library, "storedBytes">;

export const bytesPerMegabyte = 1024 * 1024;

export async function readLibrary(
  db: Db,
  accountId: AccountId,
  defaults: LibraryDefaults,
): Promise<Library> {
  const row = await db
    .selectFrom("account_libraries")
    .select([
      "stored_bytes as storedBytes",
      "open_assets_max as openAssetsMax",
      "open_uploads_max as openUploadsMax",
      "stored_bytes_max as storedBytesMax",
    ])
    .where("account_id", "=", accountId)
    .executeTakeFirst();
  return {
    storedBytes: row?.storedBytes ?? 0,
    openAssetsMax: row?.openAssetsMax ?? defaults.openAssetsMax,
    openUploadsMax: row?.openUploadsMax ?? defaults.openUploadsMax,
    storedBytesMax: row?.storedBytesMax ?? defaults.storedBytesMax,
  };
}

/** Assets whose file is not stored yet. Counts at most `countMax`. */
export async function countUnstored(
  db: Db,
  accountId: AccountId,
  countMax: number,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (
      select from assets where account_id = ${accountId} and status = 'PROCESSING' and storage_key is null
      limit ${countMax}) as unstored`.execute(db);
  return onlyRow(rows).count;
}

/** Bytes reserved by uploads that are open or not joined yet. */
export async function sumReserved(db: Db, accountId: AccountId): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    select (coalesce((
        select sum(size_bytes) from asset_uploads
        where account_id = ${accountId} and completed_at is null and expires_at > now()), 0)
      + coalesce((
        select sum(u.size_bytes) from assets a join asset_uploads u on u.id = a.upload_id
        where a.account_id = ${accountId} and a.status = 'PROCESSING' and a.storage_key is null), 0)
    )::bigint as bytes`.execute(db);
  return onlyRow(rows).bytes;
}

/** Sets limits of an account; omitted ones stay. Returns whether the account exists. */
export async function setLibraryLimits(
  db: Db,
  accountId: AccountId,
  limits: {
    openAssetsMax?: number | null;
    openUploadsMax?: number | null;
    storedBytesMax?: number | null;
  },
): Promise<boolean> {
  const { openAssetsMax = null, openUploadsMax = null, storedBytesMax = null } = limits;
  const result = await sql`
    insert into account_libraries as l (account_id, open_assets_max, open_uploads_max, stored_bytes_max)
    select id, ${openAssetsMax}::integer, ${openUploadsMax}::integer, ${storedBytesMax}::bigint
    from accounts where id = ${accountId}
    on conflict (account_id) do update set
      open_assets_max = coalesce(excluded.open_assets_max, l.open_assets_max),
      open_uploads_max = coalesce(excluded.open_uploads_max, l.open_uploads_max),
      stored_bytes_max = coalesce(excluded.stored_bytes_max, l.stored_bytes_max)`.execute(db);
  return changedRows(result) > 0;
}

/** Returns the limits that are set for an account; `null` is the deployment's limit. */
export async function readOwnLimits(db: Db, accountId: AccountId) {
  const row = await db
    .selectFrom("account_libraries")
    .select([
      "stored_bytes as storedBytes",
      "open_assets_max as openAssetsMax",
      "open_uploads_max as openUploadsMax",
      "stored_bytes_max as storedBytesMax",
    ])
    .where("account_id", "=", accountId)
    .executeTakeFirst();
  return row ?? { storedBytes: 0, openAssetsMax: null, openUploadsMax: null, storedBytesMax: null };
}

const verifyMsMax = 10 * 60_000;

/** Accounts whose counter is not the sum of their copies. An asset that is stored meanwhile may show up. */
export async function findMiscounted(tx: Tx) {
  await sql`select set_config('statement_timeout', ${String(verifyMsMax)}, true)`.execute(tx);
  const { rows } = await sql<{ accountId: AccountId; storedBytes: number; actualBytes: number }>`
    select account_id as "accountId", coalesce(l.stored_bytes, 0) as "storedBytes",
      coalesce(a.bytes, 0)::bigint as "actualBytes"
    from account_libraries l
    full join (select account_id, sum(stored_bytes_of(assets)) as bytes from assets group by account_id) a
      using (account_id)
    where coalesce(l.stored_bytes, 0) <> coalesce(a.bytes, 0)
    order by account_id`.execute(tx);
  return rows;
}

/** Recounts an account with its row locked, so that nothing is stored or expired meanwhile. */
export async function recountLibrary(tx: Tx, accountId: AccountId): Promise<void> {
  await sql`insert into account_libraries (account_id) values (${accountId})
    on conflict (account_id) do update set stored_bytes = account_libraries.stored_bytes`.execute(
    tx,
  );
  await sql`update account_libraries set stored_bytes =
      (select coalesce(sum(stored_bytes_of(assets)), 0) from assets where account_id = ${accountId})
    where account_id = ${accountId}`.execute(tx);
}
