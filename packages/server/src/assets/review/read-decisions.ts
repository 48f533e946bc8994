import { type AuditRow, listOwnAudit } from "../../audit/audit-queries.ts";
import type { Context } from "../../context.ts";
import { readIdCursor } from "../../http/paging.ts";
import { type Actor, type AssetId, type AuditId, parseAssetId, personOf } from "../../ids.ts";
import { type DecidedAsset, readDecidedAssets } from "./decisions.ts";
import { undoMs } from "./judge-asset.ts";
import { isOpenTo, reviewFileUrl } from "./open-file.ts";
import { byHand } from "./queries.ts";
import { refusalCodes } from "./reasons.ts";
import { reviewerOf } from "./reviewer-of.ts";
import type { Decision, DecisionsQuery } from "./schema.ts";

const verdicts = { "asset.approve": "passed", "asset.refuse": "refused" } as const;
const actions = ["asset.approve", "asset.refuse", "asset.undo", "asset.revoke"] as const;

/** The reader of decisions. Staff who do not judge see what was decided, but not the assets. */
interface Reader {
  actor: Actor;
  mayJudge: boolean;
}

/**
 * Returns people's decisions, newest first. They are read from the audit, so nothing is kept twice, and of
 * this shard alone, because asset numbers are per shard.
 */
export async function readDecisions(
  ctx: Pick<Context, "db" | "directory" | "config">,
  reader: Reader,
  { mine, cursor, limit }: DecisionsQuery,
): Promise<{ items: Decision[]; nextCursor: string | null }> {
  const { actor } = reader;
  const { rows, last } = await listOwnAudit(ctx, {
    accountId: null,
    personId: mine ? personOf(actor) : null,
    action: "asset.",
    before: readIdCursor<AuditId>(cursor),
    limit,
  });
  const ids = rows.flatMap(({ object }) => parseAssetId(object) ?? []);
  const assets = new Map(
    (await readDecidedAssets(ctx.db, ids, undoMs)).map((asset) => [String(asset.id), asset]),
  );
  const seen = new Set<string>();
  const items = rows.map((row) => {
    const isNewest = !seen.has(row.object);
    seen.add(row.object);
    const asset = assets.get(row.object);
    return viewDecision(ctx.config.links.publicUrl, reader, row, { asset, isNewest });
  });
  return { items, nextCursor: last };
}

function viewDecision(
  publicUrl: string,
  { actor, mayJudge }: Reader,
  row: AuditRow,
  { asset, isNewest }: { asset: DecidedAsset | undefined; isNewest: boolean },
): Decision {
  const reviewer = reviewerOf(actor);
  const isMine = row.actorKind === "person" && row.actor === reviewer;
  const code = refusalCodes.find((one) => one === row.after?.["code"]) ?? null;
  return {
    id: row.id,
    assetId: Number(row.object) as AssetId,
    at: row.createdAt.getTime(),
    action: actions.find((one) => one === row.action) ?? "asset.revoke",
    code,
    text: row.reason,
    by: { id: row.actor, name: row.actorName, isMine },
    undoableUntil: isMine && isNewest && asset !== undefined ? undoableUntil(row, asset) : null,
    asset:
      asset === undefined
        ? null
        : {
            upstreamAssetId: asset.upstreamAssetId,
            type: asset.type,
            status: asset.status,
            name: mayJudge ? asset.name : null,
            mediaUrl:
              mayJudge && isOpenTo(reviewer, asset)
                ? reviewFileUrl(publicUrl, "media", asset)
                : null,
          },
  };
}

/** Returns the time until which `undoDecision` would accept, except for tasks that use the asset meanwhile. */
function undoableUntil({ action, actor }: AuditRow, { last, status }: DecidedAsset): number | null {
  if (last === null || !last.isFresh || last.actor !== byHand + actor) return null;
  if (verdicts[action as keyof typeof verdicts] !== last.verdict) return null;
  const isOpen =
    last.verdict === "passed" ? status !== "FAILED" : last.isPending && status === "PROCESSING";
  return isOpen ? last.undoableUntil : null;
}
