import { sql } from "kysely";
import type { Db, Tx } from "../../db/database.ts";
import type { AccountId, AssetId } from "../../ids.ts";

/** The SQL of figures: sums that are written with what they count, so that nothing is counted later. */

const recentMax = 5;
const today = sql<Date>`date_trunc('day', now(), 'UTC')`;

/** `change` is -1 where an approval is undone. */
export async function countPassed(tx: Tx, accountId: AccountId, change: 1 | -1): Promise<void> {
  await sql`insert into account_reviews as a (account_id, passed) values (${accountId}, ${Math.max(0, change)})
    on conflict (account_id) do update set passed = greatest(0, a.passed + ${change})`.execute(tx);
}

export async function countRefused(
  tx: Tx,
  accountId: AccountId,
  { assetId, reason }: { assetId: AssetId; reason: string },
): Promise<void> {
  const refusal = sql`jsonb_build_object('assetId', ${assetId}::bigint, 'reason', left(${reason}::text, 200),
    'at', floor(extract(epoch from now()) * 1000)::bigint)`;
  await sql`
    insert into account_reviews as a (account_id, refused, last_refused_at, recent)
    values (${accountId}, 1, now(), jsonb_build_array(${refusal}))
    on conflict (account_id) do update set refused = a.refused + 1, last_refused_at = now(), recent = (
      select jsonb_agg(refusal order by place) from (
        select refusal, place from jsonb_array_elements(excluded.recent || a.recent)
          with ordinality as all_of_them (refusal, place)
        order by place limit ${recentMax}) newest)`.execute(tx);
}

/** Counts a decision of a reviewer. Judging begins with the claim, or with the decision before if that is later. */
export async function countDecision(
  tx: Tx,
  reviewer: string,
  what: "approved" | "refused" | "undone",
  claimedAt: Date | null,
): Promise<void> {
  const one = (name: typeof what) => (name === what ? 1 : 0);
  const sinceMs = (at: ReturnType<typeof sql>) =>
    sql`coalesce(greatest(0, extract(epoch from now() - ${at}) * 1000), 0)::bigint`;
  await sql`
    insert into reviewer_days as d (day, reviewer, approved, refused, undone, judging_ms)
    values (${today}, ${reviewer}, ${one("approved")}, ${one("refused")}, ${one("undone")},
      ${sinceMs(sql`${claimedAt}::timestamptz`)})
    on conflict (day, reviewer) do update set
      approved = d.approved + excluded.approved, refused = d.refused + excluded.refused,
      undone = d.undone + excluded.undone, last_decided_at = now(),
      judging_ms = d.judging_ms + least(excluded.judging_ms, ${sinceMs(sql`d.last_decided_at`)})`.execute(
    tx,
  );
}

export interface FiguresPage {
  from: Date;
  /** Rows before this one: the last of the page before, or a day that is not asked for. */
  before: { day: Date; reviewer: string };
  reviewer: string | null;
  limit: number;
}

/** Newest day first; one more than requested, to know whether there is another page. */
export async function listDays(db: Db, { from, before, reviewer, limit }: FiguresPage) {
  const { rows } = await sql<{
    day: Date;
    reviewer: string;
    approved: number;
    refused: number;
    undone: number;
    judgingMs: number;
  }>`select day, reviewer, approved, refused, undone, judging_ms as "judgingMs"
    from reviewer_days
    where day >= ${from} and (day, reviewer) < (${before.day}, ${before.reviewer})
      and (${reviewer}::text is null or reviewer = ${reviewer})
    order by day desc, reviewer desc limit ${limit + 1}`.execute(db);
  return rows;
}
