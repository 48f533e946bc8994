import { ApiError } from "@zoetrope/sdk";
import type { ReviewItem } from "@zoetrope/sdk/admin";
import type { Queue } from "./calls.ts";
import type { Hand } from "./hand.ts";

/** The service's limit is 20 claims; decisions on their way count among them. */
const claimsMax = 20;
const batch = 10;
const lowWater = 6;

/** What was claimed before a reload comes first. */
export async function startClaims(hand: Hand): Promise<void> {
  if ((await claim(hand, hand.calls.claimed)) !== null) await claimMore(hand);
}

export async function claimMore(hand: Hand): Promise<void> {
  const { items, sending, isClaiming } = hand.getState();
  const count = Math.min(batch, claimsMax - items.length - sending);
  if (isClaiming || count < 1) return;
  const got = await claim(hand, () => hand.calls.claimNext(count));
  if (got !== null) hand.set({ isDrained: got === 0 });
}

/** Claims a batch before the hand is empty, so that nobody waits for it. */
export function topUp(hand: Hand): void {
  const { items, isDrained, error } = hand.getState();
  if (items.length <= lowWater && !isDrained && error === null) void claimMore(hand);
}

async function claim(
  hand: Hand,
  read: () => Promise<{ items: ReviewItem[]; queue: Queue }>,
): Promise<number | null> {
  hand.set({ isClaiming: true, error: null });
  try {
    const { items, queue } = await read();
    hand.set({ items: joined(hand.getState().items, items), queue, isClaiming: false });
    return items.length;
  } catch (error) {
    const isFull = error instanceof ApiError && error.code === "claims_limit";
    hand.set({ isClaiming: false, error: isFull ? null : error });
    return null;
  }
}

/** New ones come last, so that nothing is exchanged under the reviewer's eyes. */
function joined(held: readonly ReviewItem[], more: readonly ReviewItem[]): ReviewItem[] {
  const ids = new Set(held.map(({ assetId }) => assetId));
  return [...held, ...more.filter(({ assetId }) => !ids.has(assetId))];
}

/** A claim that could not be renewed is lost: somebody else may have the asset. */
export async function renewClaims(hand: Hand): Promise<void> {
  const held = new Set(hand.getState().items.map(({ assetId }) => assetId));
  if (held.size === 0) return;
  const { claims } = await hand.calls.renew();
  const kept = new Set(claims.map(({ assetId }) => assetId));
  const isLost = ({ assetId }: ReviewItem) => held.has(assetId) && !kept.has(assetId);
  const { items } = hand.getState();
  const lost = items.filter(isLost);
  if (lost.length === 0) return;
  hand.set({ items: items.filter((item) => !isLost(item)) });
  hand.tell({ kind: "lost", assetIds: lost.map(({ assetId }) => assetId) });
  topUp(hand);
}

/** Gives back what is in hand. */
export async function releaseClaims(hand: Hand): Promise<void> {
  const assetIds = hand.getState().items.map(({ assetId }) => assetId);
  hand.set({ items: [] });
  if (assetIds.length > 0) await hand.calls.release(assetIds);
}
