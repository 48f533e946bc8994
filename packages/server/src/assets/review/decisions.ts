import { sql } from "kysely";
import type { Db } from "../../db/database.ts";
import type { AccountId, AssetId } from "../../ids.ts";
import { byHand } from "./queries.ts";

/** An asset in a list of decisions, and the newest verdict of a person on it. */
export interface DecidedAsset {
  id: AssetId;
  accountId: AccountId;
  upstreamAssetId: string;
  type: "IMAGE" | "AUDIO" | "VIDEO";
  status: "NONE" | "PROCESSING" | "ACTIVE" | "FAILED";
  name: string | null;
  storageKey: string | null;
  last: {
    actor: string;
    verdict: "passed" | "refused" | "unsure" | "revoked" | "undone";
    isFresh: boolean;
    isPending: boolean;
    undoableUntil: number;
  } | null;
}

/** Those that still exist. Every part is read by key. */
export async function readDecidedAssets(
  db: Db,
  assetIds: AssetId[],
  undoMs: number,
): Promise<DecidedAsset[]> {
  const undo = sql`${undoMs} * interval '1 millisecond'`;
  const { rows } = await sql<DecidedAsset>`
    select a.id, a.account_id as "accountId", a.upstream_asset_id as "upstreamAssetId", a.type, a.status, a.name,
      a.storage_key as "storageKey",
      (select jsonb_build_object('actor', actor, 'verdict', verdict, 'isFresh', at > now() - ${undo},
          'isPending', coalesce(takes_effect_at > now(), false),
          'undoableUntil', floor(extract(epoch from at + ${undo}) * 1000)::bigint)
        from asset_reviews where asset_id = a.id and starts_with(actor, ${byHand})
        order by number desc limit 1) as last
    from assets a where a.id = any (${assetIds}::bigint[]) and a.deleted_at is null`.execute(db);
  return rows;
}
