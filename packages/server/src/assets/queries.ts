import { sql } from "kysely";
import type { Db, Tx } from "../db/database.ts";
import { inMs } from "../db/in-ms.ts";
import { type AccountId, type AssetId, parseAssetId, type UploadId } from "../ids.ts";
import type { AssetFacts } from "../models/asset-rules.ts";
import type { ListQuery } from "./schema.ts";
import { lineMsMax } from "./step-queries.ts";

/** The facts of a file that rules and prices need. */
const factColumns = [
  "type",
  "status",
  "content_type as contentType",
  "size_bytes as sizeBytes",
  "width",
  "height",
  "duration_ms as durationMs",
  "video_codec as videoCodec",
] as const;

/** The facts of the account's own assets by the id in `asset://`; assets of other accounts are not found. */
export async function findAssets(
  db: Db,
  accountId: AccountId,
  upstreamAssetIds: string[],
): Promise<Map<string, AssetFacts>> {
  if (upstreamAssetIds.length === 0) return new Map();
  const rows = await db
    .selectFrom("assets")
    .select(["upstream_asset_id as upstreamAssetId", ...factColumns])
    .where("account_id", "=", accountId)
    .where("upstream_asset_id", "in", upstreamAssetIds)
    .where("deleted_at", "is", null)
    .execute();
  return new Map(rows.map(({ upstreamAssetId, ...facts }) => [upstreamAssetId, facts]));
}

/** The storage keys of usable assets by the id in `asset://`. */
export async function findStoredAssets(db: Db, accountId: AccountId, upstreamAssetIds: string[]) {
  if (upstreamAssetIds.length === 0) return [];
  return db
    .selectFrom("assets")
    .select([
      "upstream_asset_id as upstreamAssetId",
      "storage_key as storageKey",
      "vendor_asset_id as vendorAssetId",
      "content_type as contentType",
      "width",
      "height",
      "size_bytes as sizeBytes",
    ])
    .where("account_id", "=", accountId)
    .where("upstream_asset_id", "in", upstreamAssetIds)
    .where("deleted_at", "is", null)
    .where("status", "!=", "FAILED")
    .execute();
}

/** Named one by one: a column that is added must not change what a running process reads. */
const assetColumns = [
  "id",
  "upstream_asset_id",
  "account_id",
  "type",
  "status",
  "content_type",
  "size_bytes",
  "width",
  "height",
  "duration_ms",
  "frames",
  "video_codec",
  "url",
  "name",
  "storage_key",
  "sha256",
  "fail_reason",
  "fail_code",
  "vendor_asset_id",
  "vendor_submit_started_at",
  "next_step_at",
  "turn_at",
  "steps",
  "revoked_at",
  "created_at",
  "upload_id",
  "address",
] as const;

export type AssetRow = NonNullable<Awaited<ReturnType<typeof findAsset>>>;

export async function insertAsset(
  db: Db,
  asset: {
    upstreamAssetId: string;
    accountId: AccountId;
    type: "IMAGE" | "AUDIO" | "VIDEO";
    /** The source of its bytes: a URL or an upload. */
    source: { kind: "url"; url: string } | { kind: "upload"; uploadId: UploadId };
    name: string | null;
    /** Its file is not fetched before others of the account are. */
    isInLine?: boolean;
  },
): Promise<AssetRow> {
  const { source, isInLine = false } = asset;
  return db
    .insertInto("assets")
    .values({
      upstream_asset_id: asset.upstreamAssetId,
      account_id: asset.accountId,
      type: asset.type,
      status: "PROCESSING",
      ...(source.kind === "url" ? { url: source.url } : { upload_id: source.uploadId }),
      name: asset.name,
      ...(isInLine ? { turn_at: null, next_step_at: inMs(lineMsMax) } : {}),
    })
    .returning(assetColumns)
    .executeTakeFirstOrThrow();
}

export async function findAsset(db: Db, assetId: AssetId) {
  return db.selectFrom("assets").select(assetColumns).where("id", "=", assetId).executeTakeFirst();
}

export type LockedAsset = NonNullable<Awaited<ReturnType<typeof lockStatus>>>;

/** Locks an asset until the transaction ends, so that its review is decided by one at a time. */
export async function lockStatus(tx: Tx, assetId: AssetId) {
  return tx
    .selectFrom("assets")
    .select([
      ...(["id", "status", "account_id as accountId"] as const),
      ...(["upstream_asset_id as upstreamAssetId", "storage_key as storageKey"] as const),
    ])
    .where("id", "=", assetId)
    .where("deleted_at", "is", null)
    .forUpdate()
    .executeTakeFirst();
}

export async function findAssetOfUpload(db: Db, uploadId: UploadId) {
  return db
    .selectFrom("assets")
    .select(assetColumns)
    .where("upload_id", "=", uploadId)
    .executeTakeFirst();
}

/** A file by its bytes, and who would review it now. */
export interface Bytes {
  type: "IMAGE" | "AUDIO" | "VIDEO";
  sizeBytes: number;
  sha256: string;
  reviewers: readonly string[];
  /** The URLs by which an output with these bytes is saved. */
  urls?: readonly string[];
}

/** The number of days for which a refusal is returned for the same bytes. */
const refusedDays = 30;

/**
 * The account's asset of the same bytes: a usable one before one that a review refused, the oldest of them,
 * so that the same file leads to the same asset every time. One whose chunks are not joined yet is known by
 * the checksum that its sender gave, and one whose output is not copied yet by its URL. One without a review
 * is none if a reviewer of today was not asked then: the same bytes are reviewed as a new asset.
 *
 * The asset that was saved by one of `urls` comes first: two outputs of the same bytes can have become two
 * assets before they were copied. Not if it has a declaration: it is made whatever other asset there is.
 */
export async function findTwin(
  db: Db,
  accountId: AccountId,
  { type, sizeBytes, sha256, reviewers, urls = [] }: Bytes,
) {
  const twins = sql<AssetId>`
    select id from (
      select id, status, created_at, fail_code, url from assets
      where account_id = ${accountId} and sha256 = ${sha256} and type = ${type}
        and size_bytes = ${sizeBytes} and deleted_at is null
      union all
      select a.id, a.status, a.created_at, a.fail_code, a.url
      from assets a join asset_uploads u on u.id = a.upload_id
      where a.account_id = ${accountId} and a.status = 'PROCESSING' and a.storage_key is null
        and a.type = ${type} and u.sha256 = ${sha256} and u.size_bytes = ${sizeBytes}
        and a.deleted_at is null
      union all
      select id, status, created_at, fail_code, url from assets
      where account_id = ${accountId} and status = 'PROCESSING' and storage_key is null
        and type = ${type} and url = any(${urls}::text[]) and deleted_at is null) twin
    where (status <> 'FAILED'
        or fail_code = 'refused' and created_at > now() - make_interval(days => ${refusedDays}))
      and (status <> 'NONE' or not exists (
        select from unnest(${reviewers}::text[]) as reviewer (name) where not exists (
          select from asset_reviews r
          where r.asset_id = twin.id and split_part(r.actor, ' ', 1) = reviewer.name)))
    order by status = 'FAILED',
      url = any(${urls}::text[]) and not exists (
        select from asset_declarations d where d.asset_id = twin.id) desc,
      status = 'PROCESSING', id limit 1`;
  return db
    .selectFrom("assets")
    .select(assetColumns)
    .where("id", "=", sql<AssetId>`(${twins})`)
    .executeTakeFirst();
}

/** Returns an asset of the account by either of its ids. */
export async function findOwnAsset(db: Db, accountId: AccountId, id: string, lock?: "locked") {
  const assetId = parseAssetId(id);
  return db
    .selectFrom("assets")
    .select(assetColumns)
    .where("account_id", "=", accountId)
    .where("deleted_at", "is", null)
    .where((row) =>
      assetId === undefined ? row("upstream_asset_id", "=", id) : row("id", "=", assetId),
    )
    .$if(lock !== undefined, (rows) => rows.forUpdate())
    .executeTakeFirst();
}

/** Its address, the key under which an earlier release published it, or its id in `asset://`. */
type AssetName = { by: "address" | "storage_key" | "upstream_asset_id"; value: string };

/** Returns an asset of the account by its name. */
export async function findAssetAt(db: Db, accountId: AccountId, name: AssetName) {
  return db
    .selectFrom("assets")
    .select(assetColumns)
    .where("account_id", "=", accountId)
    .where("deleted_at", "is", null)
    .where(name.by, "=", name.value)
    .executeTakeFirst();
}

/** Returns the facts about an asset that a reader without an API key may see. */
export async function findServed(db: Db, address: string) {
  return db
    .selectFrom("assets")
    .select(["status", "storage_key as storageKey"])
    .where("address", "=", address)
    .where("deleted_at", "is", null)
    .executeTakeFirst();
}

/** Newest first, before the cursor; one more than requested, to know whether there is another page. */
export async function listAssets(db: Db, accountId: AccountId, query: ListQuery) {
  const { type, status, cursor, limit } = query;
  const assets = db.selectFrom("assets").select(assetColumns).orderBy("id", "desc");
  if (type !== undefined || status !== undefined)
    return assets.where("id", "=", anyOfPage(accountId, query)).execute();
  const own = assets
    .where("deleted_at", "is", null)
    .where("account_id", "=", accountId)
    .limit(limit + 1);
  return (cursor === undefined ? own : own.where("id", "<", cursor as AssetId)).execute();
}

/** Assets that one request looks through for a name: no index is by parts of a name. */
const scannedMax = 5_000;

/** The newest with this text in their name. `last`: where the next page begins; null: nothing is older. */
export async function searchAssets(db: Db, accountId: AccountId, query: ListQuery, name: string) {
  const { type = null, status = null, cursor = null, limit } = query;
  const { rows } = await sql<{ ids: AssetId[]; scanned: number; oldest: AssetId | null }>`
    with scan as materialized (
      select id, type, status, name from assets
      where account_id = ${accountId} and deleted_at is null
        and (${cursor}::bigint is null or id < ${cursor}::bigint)
      order by id desc limit ${scannedMax})
    select to_jsonb(array(
        select id from scan where strpos(lower(name), lower(${name})) > 0
          and (${type}::text is null or type = ${type}) and (${status}::text is null or status = ${status})
        order by id desc limit ${limit})) as ids,
      count(*)::int as scanned, min(id) as oldest from scan`.execute(db);
  const { ids = [], scanned = 0, oldest = null } = rows[0] ?? {};
  const isFull = ids.length === limit;
  const last = isFull ? (ids.at(-1) ?? null) : scanned === scannedMax ? oldest : null;
  const found = db.selectFrom("assets").select(assetColumns).orderBy("id", "desc");
  return { rows: ids.length === 0 ? [] : await found.where("id", "in", ids).execute(), last };
}

const types = ["IMAGE", "AUDIO", "VIDEO"] as const;
const statuses = ["NONE", "PROCESSING", "ACTIVE", "FAILED"] as const;

/** The newest of each type and status that is asked for, from an index that has them in order. */
function anyOfPage(accountId: AccountId, { type, status, cursor, limit }: ListQuery) {
  const kinds = (type === undefined ? types : [type]).flatMap((ofType) =>
    (status === undefined ? statuses : [status]).map((inStatus) => `${ofType} ${inStatus}`),
  );
  return sql<AssetId>`any (array(
    select page.id from unnest(${kinds}::text[]) as asked (kind)
    cross join lateral (
      select a.id from assets a
      where a.account_id = ${accountId} and asset_kind(a.type, a.status) = asked.kind
        and a.deleted_at is null
        ${cursor === undefined ? sql`` : sql`and a.id < ${cursor}`}
      order by a.id desc limit ${limit + 1}) page
    order by page.id desc limit ${limit + 1}))`;
}
