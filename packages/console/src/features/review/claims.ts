import { ApiError } from "@zoetrope/sdk";
import type { ReviewItem } from "@zoetrope/sdk/admin";
import type { Queue } from "./calls.ts";
import type { ReviewStore } from "./review-store.ts";

/** The service's limit is 20 claims; decisions on their way count among them. */
const claimsMax = 20;
const batch = 10;
const lowWater = 6;

/** Starts with the items claimed before a reload. */
export async function startClaims(store: ReviewStore): Promise<void> {
  if ((await claim(store, store.calls.claimed)) !== null) await claimMore(store);
}

export async function claimMore(store: ReviewStore): Promise<void> {
  const { items, sending, isClaiming } = store.getState();
  const count = Math.min(batch, claimsMax - items.length - sending);
  if (isClaiming || count < 1) return;
  const got = await claim(store, () => store.calls.claimNext(count));
  if (got !== null) store.set({ isDrained: got === 0 });
}

/** Claims the next batch before the last item is decided, so that the reviewer does not wait. */
export function topUp(store: ReviewStore): void {
  const { items, isDrained, error } = store.getState();
  if (items.length <= lowWater && !isDrained && error === null) void claimMore(store);
}

async function claim(
  store: ReviewStore,
  read: () => Promise<{ items: ReviewItem[]; queue: Queue }>,
): Promise<number | null> {
  store.set({ isClaiming: true, error: null });
  try {
    const { items, queue } = await read();
    store.set({ items: joined(store.getState().items, items), queue, isClaiming: false });
    return items.length;
  } catch (error) {
    const isFull = error instanceof ApiError && error.code === "claims_limit";
    store.set({ isClaiming: false, error: isFull ? null : error });
    return null;
  }
}

/** New ones come last, so that nothing is exchanged under the reviewer's eyes. */
function joined(held: readonly ReviewItem[], more: readonly ReviewItem[]): ReviewItem[] {
  const ids = new Set(held.map(({ assetId }) => assetId));
  return [...held, ...more.filter(({ assetId }) => !ids.has(assetId))];
}

/** A claim that could not be renewed is lost: somebody else may have the asset. */
export async function renewClaims(store: ReviewStore): Promise<void> {
  const held = new Set(store.getState().items.map(({ assetId }) => assetId));
  if (held.size === 0) return;
  const { claims } = await store.calls.renew();
  const kept = new Set(claims.map(({ assetId }) => assetId));
  const isLost = ({ assetId }: ReviewItem) => held.has(assetId) && !kept.has(assetId);
  const { items } = store.getState();
  const lost = items.filter(isLost);
  if (lost.length === 0) return;
  store.set({ items: items.filter((item) => !isLost(item)) });
  store.notify({ kind: "lost", assetIds: lost.map(({ assetId }) => assetId) });
  topUp(store);
}

/** Releases the claims that are not decided. */
export async function releaseClaims(store: ReviewStore): Promise<void> {
  const assetIds = store.getState().items.map(({ assetId }) => assetId);
  store.set({ items: [] });
  if (assetIds.length > 0) await store.calls.release(assetIds);
}
