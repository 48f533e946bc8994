import type { Actor } from "../../actor.ts";
import type { Config } from "../../config.ts";
import type { Context } from "../../context.ts";
import { cutPage } from "../../http/paging.ts";
import type { AssetId } from "../../ids.ts";
import { signedUrl } from "../../media/storage/signed-link.ts";
import { pathOfAsset } from "../address.ts";
import { findWaiting, listClaimed, listQueue, measureQueue, type Waiting } from "./queue.ts";
import { type QueueDetails, readQueueDetails } from "./queue-details.ts";
import { reviewerOf } from "./reviewer-of.ts";
import type { QueueItem, QueueQuery } from "./schema.ts";

type QueueContext = Pick<Context, "db" | "config">;

/** As long as a claim can last. */
const linkMs = 60 * 60 * 1000;

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

/** How long the queue is: every answer tells it, so that a page need not ask. */
async function viewQueue(ctx: Pick<Context, "db">) {
  const { oldestAt, ...size } = await measureQueue(ctx.db);
  return { ...size, oldestSince: oldestAt?.getTime() ?? null };
}

async function viewItems(ctx: QueueContext, actor: Actor, rows: Waiting[]): Promise<QueueItem[]> {
  if (rows.length === 0) return [];
  const assetIds = rows.map(({ assetId }) => assetId);
  const details = new Map(
    (await readQueueDetails(ctx.db, assetIds)).map((asset) => [asset.id, asset]),
  );
  return rows.flatMap((row) => {
    const asset = details.get(row.assetId); // deleted just now if it is missing
    return asset === undefined ? [] : [viewItem(ctx.config, reviewerOf(actor), row, asset)];
  });
}

function viewItem(
  { links }: Config,
  reviewer: string,
  { askedAt, claimedBy, claimedUntil }: Waiting,
  asset: QueueDetails,
): QueueItem {
  const { history, declaration } = asset;
  return {
    assetId: asset.id,
    upstreamAssetId: asset.upstreamAssetId,
    type: asset.type,
    name: asset.name,
    contentType: asset.contentType,
    size: asset.sizeBytes,
    width: asset.width,
    height: asset.height,
    duration: asset.durationMs === null ? null : asset.durationMs / 1000,
    mediaUrl: signedUrl(links, pathOfAsset(asset.address), linkMs),
    createdAt: asset.createdAt.getTime(),
    waitingSince: askedAt.getTime(),
    reviews: asset.reviews,
    account: {
      accountId: asset.accountId,
      name: asset.accountName,
      passed: history?.passed ?? 0,
      refused: history?.refused ?? 0,
      lastRefusedAt: history?.lastRefusedAt ?? null,
      recentRefusals: history?.recent ?? [],
    },
    declaration: declaration && {
      people: declaration.people,
      purpose: declaration.purpose,
      declaredAt: declaration.declaredAt,
      formType: declaration.formType,
      formUrl: declaration.formKey === null ? null : signedUrl(links, declaration.formKey, linkMs),
    },
    claim:
      claimedBy === null || claimedUntil === null
        ? null
        : { by: claimedBy, isMine: claimedBy === reviewer, until: claimedUntil.getTime() },
  };
}
