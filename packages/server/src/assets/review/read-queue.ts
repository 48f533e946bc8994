import type { Context } from "../../context.ts";
import { cutPage } from "../../http/paging.ts";
import type { Actor, AssetId } from "../../ids.ts";
import { reviewFileUrl } from "./open-file.ts";
import { findWaiting, listClaimed, listQueue, measureQueue, type Waiting } from "./queue.ts";
import { type QueueDetails, readQueueDetails } from "./queue-details.ts";
import { reviewerOf } from "./reviewer-of.ts";
import type { QueueItem, QueueQuery } from "./schema.ts";

type QueueContext = Pick<Context, "db" | "config">;

/** A page of what waits, oldest first; or what the reader has claimed. */
export async function readQueue(ctx: QueueContext, actor: Actor, query: QueueQuery) {
  const { cursor = 0, limit, mine } = query;
  if (mine) {
    const claimed = await listClaimed(ctx.db, reviewerOf(actor));
    const items = await viewItems(ctx, actor, claimed);
    return { items, nextCursor: null, queue: await viewQueue(ctx) };
  }
  const rows = await listQueue(ctx.db, cursor, limit + 1);
  const { page, nextCursor } = cutPage(rows, limit, ({ assetId }) => assetId);
  return { items: await viewItems(ctx, actor, page), nextCursor, queue: await viewQueue(ctx) };
}

export async function readItems(ctx: QueueContext, actor: Actor, assetIds: AssetId[]) {
  const items = await viewItems(ctx, actor, await findWaiting(ctx.db, assetIds));
  return { items, queue: await viewQueue(ctx) };
}

/** Returns the length of the queue: every response includes it, so that a page need not request it. */
async function viewQueue(ctx: Pick<Context, "db">) {
  const { oldestAt, waiting, isCountedOut } = await measureQueue(ctx.db);
  return { waiting, isCountedOut, oldestSince: oldestAt?.getTime() ?? null };
}

async function viewItems(ctx: QueueContext, actor: Actor, rows: Waiting[]): Promise<QueueItem[]> {
  if (rows.length === 0) return [];
  const assetIds = rows.map(({ assetId }) => assetId);
  const details = new Map(
    (await readQueueDetails(ctx.db, assetIds)).map((asset) => [asset.id, asset]),
  );
  return rows.flatMap((row) => {
    const asset = details.get(row.assetId); // deleted just now if it is missing
    return asset === undefined
      ? []
      : [viewItem(ctx.config.links.publicUrl, reviewerOf(actor), row, asset)];
  });
}

/**
 * Returns an item of the queue. Only the reviewer who has claimed the asset sees what its owner sent;
 * others see that it waits.
 */
function viewItem(
  publicUrl: string,
  reviewer: string,
  { askedAt, claimedBy, claimedUntil }: Waiting,
  asset: QueueDetails,
): QueueItem {
  const { history } = asset;
  const isMine = claimedBy === reviewer;
  return {
    assetId: asset.id,
    upstreamAssetId: asset.upstreamAssetId,
    type: asset.type,
    name: isMine ? asset.name : null,
    contentType: asset.contentType,
    size: asset.sizeBytes,
    width: asset.width,
    height: asset.height,
    duration: asset.durationMs === null ? null : asset.durationMs / 1000,
    mediaUrl: isMine ? reviewFileUrl(publicUrl, "media", asset) : null,
    createdAt: asset.createdAt.getTime(),
    waitingSince: askedAt.getTime(),
    reviews: isMine ? asset.reviews : [],
    account: {
      accountId: asset.accountId,
      name: asset.accountName,
      passed: history?.passed ?? 0,
      refused: history?.refused ?? 0,
      lastRefusedAt: history?.lastRefusedAt ?? null,
      recentRefusals: isMine ? (history?.recent ?? []) : [],
    },
    declaration: isMine ? viewDeclaration(publicUrl, asset) : null,
    claim:
      claimedBy === null || claimedUntil === null
        ? null
        : { by: claimedBy, isMine, until: claimedUntil.getTime() },
  };
}

function viewDeclaration(publicUrl: string, asset: QueueDetails): QueueItem["declaration"] {
  const { declaration } = asset;
  if (declaration === null) return null;
  const { people, purpose, declaredAt, formType, formKey } = declaration;
  const formUrl = formKey === null ? null : reviewFileUrl(publicUrl, "form", asset);
  return { people, purpose, declaredAt, formType, formUrl };
}
