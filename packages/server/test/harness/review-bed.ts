import assert from "node:assert";
import { randomUUID } from "node:crypto";
import { claimReview } from "../../src/assets/review/claim-reviews.ts";
import { ApiError } from "../../src/errors.ts";
import { type AccountId, type Actor, type AssetId, newId, type PersonId } from "../../src/ids.ts";
import { type LibraryBed, paint } from "./library-bed.ts";
import type { TestBed } from "./test-context.ts";

export function newReviewer(): Actor & { kind: "person" } {
  const personId = newId<PersonId>(0);
  return { kind: "person", personId, address: "192.0.2.7", requestId: randomUUID() };
}

/** Stored images that wait in the queue, in one statement. Places are a minute apart, as for an account that uploads much. */
export async function fillQueue(
  { database }: TestBed,
  accountId: AccountId,
  count: number,
): Promise<AssetId[]> {
  const rows = await database.sql<{ id: string }>(
    `with made as (
       insert into assets (account_id, upstream_asset_id, type, status, content_type, size_bytes, width, height,
                           storage_key, next_step_at)
       select $1, 'asset-1-' || replace(gen_random_uuid()::text, '-', ''), 'IMAGE', 'PROCESSING', 'image/png', 10, 1, 1,
              replace(gen_random_uuid()::text, '-', ''), now() + interval '1 hour'
       from generate_series(1, $2) returning id, account_id),
     placed as (
       insert into open_reviews (asset_id, account_id, place_at)
       select id, account_id, now() + (row_number() over (order by id) - 1) * interval '1 minute' from made
       returning asset_id)
     select asset_id as id from placed order by asset_id`,
    [accountId, count],
  );
  return rows.map(({ id }) => Number(id) as AssetId);
}

/** Lets minutes pass for claims and for refusals that can still be undone. */
export async function passMinutes({ database }: TestBed, minutes: number): Promise<void> {
  const later = (column: string) => `${column} = ${column} - ${minutes} * interval '1 minute'`;
  await database.sql(
    `update open_reviews set ${later("claimed_until")}, ${later("claimed_at")} where claimed_by is not null`,
  );
  await database.sql(`update asset_reviews set ${later("takes_effect_at")}, ${later("at")}`);
}

/** An uploaded image that waits, claimed by this reviewer. */
export async function claimedAsset(
  library: LibraryBed,
  account: Awaited<ReturnType<TestBed["openAccount"]>>,
  reviewer: Actor,
): Promise<AssetId> {
  const { assetId } = await library.upload(account, await paint());
  await library.advance(assetId);
  await claimReview(library.bed.ctx, reviewer, assetId);
  return assetId;
}

/** The code of the error that a caller gets. */
export async function codeOf(promise: Promise<unknown>): Promise<string> {
  const error: unknown = await promise.then(
    () => null,
    (reason: unknown) => reason,
  );
  assert(error instanceof ApiError, String(error));
  return error.code;
}
