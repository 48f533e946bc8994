import type { Actor } from "../../actor.ts";
import { type AuditRow, listOwnAudit } from "../../audit/audit-queries.ts";
import type { Config } from "../../config.ts";
import type { Context } from "../../context.ts";
import { readIdCursor } from "../../http/paging.ts";
import { type AssetId, type AuditId, parseAssetId } from "../../ids.ts";
import { signedUrl } from "../../media/storage/signed-link.ts";
import { pathOfAsset } from "../address.ts";
import { type DecidedAsset, readDecidedAssets } from "./decisions.ts";
import { undoMs } from "./judge-asset.ts";
import { byHand } from "./queries.ts";
import { refusalCodes } from "./reasons.ts";
import { reviewerOf } from "./reviewer-of.ts";
import type { Decision, DecisionsQuery } from "./schema.ts";

const linkMs = 60 * 60 * 1000;
const verdicts = { "asset.approve": "passed", "asset.refuse": "refused" } as const;
const actions = ["asset.approve", "asset.refuse", "asset.undo", "asset.revoke"] as const;

/**
 * What people decided, newest first: the record is the audit, so nothing is kept twice. Of this shard
 * alone, because the numbers of assets are.
 */
export async function readDecisions(
  ctx: Pick<Context, "db" | "home" | "config">,
  actor: Actor,
  { mine, cursor, limit }: DecisionsQuery,
): Promise<{ items: Decision[]; nextCursor: string | null }> {
  const { rows, last } = await listOwnAudit(ctx, {
    ...{ accountId: null, personId: mine && actor.kind === "person" ? actor.personId : null },
    ...{ action: "asset.", before: readIdCursor<AuditId>(cursor), limit },
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
    return viewDecision(ctx.config, reviewerOf(actor), row, { asset, isNewest });
  });
  return { items, nextCursor: last };
}

function viewDecision(
  { links }: Config,
  reviewer: string,
  row: AuditRow,
  { asset, isNewest }: { asset: DecidedAsset | undefined; isNewest: boolean },
): Decision {
  const isMine = row.actorKind === "person" && row.actor === reviewer;
  const code = refusalCodes.find((one) => one === row.after?.["code"]) ?? null;
  const isServed = asset?.isStored === true && asset.status !== "FAILED";
  return {
    id: row.id,
    assetId: Number(row.object) as AssetId,
    at: row.createdAt.getTime(),
    action: actions.find((one) => one === row.action) ?? "asset.revoke",
    ...{ code, text: row.reason },
    by: { id: row.actor, name: row.actorName, isMine },
    undoableUntil: isMine && isNewest && asset !== undefined ? undoableUntil(row, asset) : null,
    asset:
      asset === undefined
        ? null
        : {
            upstreamAssetId: asset.upstreamAssetId,
            ...{ type: asset.type, status: asset.status, name: asset.name },
            mediaUrl: isServed ? signedUrl(links, pathOfAsset(asset.address), linkMs) : null,
          },
  };
}

/** As `undoDecision` would answer, except for tasks that use the asset meanwhile. */
function undoableUntil({ action, actor }: AuditRow, { last, status }: DecidedAsset): number | null {
  if (last === null || !last.isFresh || last.actor !== byHand + actor) return null;
  if (verdicts[action as keyof typeof verdicts] !== last.verdict) return null;
  const isOpen =
    last.verdict === "passed" ? status !== "FAILED" : last.isPending && status === "PROCESSING";
  return isOpen ? last.undoableUntil : null;
}
