import { sql } from "kysely";
import type { Db } from "../../db/database.ts";
import type { ReviewScores } from "../../db/tables/assets.ts";
import type { Refusal } from "../../db/tables/reviews.ts";
import type { AccountId, AssetId } from "../../ids.ts";

const reviewsMax = 10;

export interface QueueDetails {
  id: AssetId;
  upstreamAssetId: string;
  accountId: AccountId;
  accountName: string;
  type: "IMAGE" | "AUDIO" | "VIDEO";
  name: string | null;
  address: string;
  contentType: string | null;
  sizeBytes: number | null;
  width: number | null;
  height: number | null;
  durationMs: number | null;
  createdAt: Date;
  reviews: {
    reviewer: string;
    verdict: "passed" | "refused" | "unsure" | "revoked" | "undone";
    reason: string;
    scores: ReviewScores | null;
    at: number;
  }[];
  history: {
    passed: number;
    refused: number;
    lastRefusedAt: number | null;
    recent: Refusal[];
  } | null;
  declaration: {
    people: string;
    purpose: string;
    formKey: string | null;
    formType: string | null;
    declaredAt: number;
  } | null;
}

/**
 * Returns the details of assets that a reviewer sees. Every part is read by key, asset by asset, without
 * another condition: a join, or an index for that condition, may be planned that reads all of a table.
 */
export async function readQueueDetails(db: Db, assetIds: AssetId[]): Promise<QueueDetails[]> {
  const { rows } = await sql<QueueDetails & { isDeleted: boolean }>`
    select a.id, a.upstream_asset_id as "upstreamAssetId", a.account_id as "accountId", a.type, a.name, a.address,
      a.content_type as "contentType", a.size_bytes as "sizeBytes", a.width, a.height,
      a.duration_ms as "durationMs", a.created_at as "createdAt", a.deleted_at is not null as "isDeleted",
      (select name from accounts where id = a.account_id) as "accountName",
      array(select jsonb_build_object('reviewer', split_part(actor, ' ', 1), 'verdict', verdict, 'reason', reason,
          'scores', scores, 'at', ${epochMs(sql`at`)})
        from asset_reviews where asset_id = a.id order by number desc limit ${reviewsMax}) as reviews,
      (select jsonb_build_object('passed', passed, 'refused', refused, 'recent', recent,
          'lastRefusedAt', ${epochMs(sql`last_refused_at`)})
        from account_reviews where account_id = a.account_id) as history,
      (select jsonb_build_object('people', people, 'purpose', purpose, 'formKey', form_key, 'formType', form_type,
          'declaredAt', ${epochMs(sql`created_at`)})
        from asset_declarations where asset_id = a.id) as declaration
    from assets a where a.id = any (${assetIds}::bigint[])`.execute(db);
  return rows.filter(({ isDeleted }) => !isDeleted);
}

function epochMs(time: ReturnType<typeof sql>) {
  return sql`floor(extract(epoch from ${time}) * 1000)::bigint`;
}
