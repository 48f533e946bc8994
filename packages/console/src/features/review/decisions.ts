import { ApiError } from "@zoetrope/sdk";
import type { ReviewItem } from "@zoetrope/sdk/admin";
import type { Judgement } from "./calls.ts";
import { topUp } from "./claims.ts";
import { type ReviewStore, shownItem } from "./review-store.ts";

const rememberedMax = 100;

/**
 * Decides on the asset that was on screen when the key went down; the next one is shown at once,
 * while the decision is sent to the service. Returns false if another asset is on screen, or none
 * yet: nothing is decided then.
 */
export function decide(store: ReviewStore, assetId: number, judgement: Judgement): boolean {
  const state = store.getState();
  const item = shownItem(state);
  if (item === null || item.assetId !== assetId) return false;
  if (judgement.verdict === "approve" && state.broken.has(assetId)) {
    store.notify({ kind: "unseen", assetId });
    return false;
  }
  const sent = send(store, item, judgement);
  store.set({
    items: state.items.slice(1),
    decided: [...state.decided, { item, judgement, sent }].slice(-rememberedMax),
  });
  topUp(store);
  return true;
}

/** Moves the asset behind the others. A single asset is shown again, with a new sequence number. */
export function skip(store: ReviewStore, assetId: number): boolean {
  const state = store.getState();
  const [item, ...rest] = state.items;
  if (item === undefined || shownItem(state)?.assetId !== assetId) return false;
  if (rest.length === 0) store.set({ sequence: state.sequence + 1 });
  else store.set({ items: [...rest, item] });
  return true;
}

async function send(store: ReviewStore, item: ReviewItem, judgement: Judgement): Promise<boolean> {
  const { assetId } = item;
  store.set({ sending: store.getState().sending + 1 });
  try {
    await store.calls.judge(assetId, judgement);
    const { count, queue } = store.getState();
    const left = queue && { ...queue, waiting: Math.max(0, queue.waiting - 1) };
    store.set({ count: count + 1, queue: left });
    return true;
  } catch (error) {
    forget(store, item);
    if (error instanceof ApiError && (error.status === 409 || error.status === 404))
      store.notify({ kind: "lost", assetIds: [assetId] });
    else {
      store.set({ items: putBehindFirst(store.getState().items, item) });
      store.notify({ kind: "failed", assetId, error });
    }
    return false;
  } finally {
    store.set({ sending: store.getState().sending - 1 });
    topUp(store);
  }
}

function forget(store: ReviewStore, item: ReviewItem): void {
  store.set({ decided: store.getState().decided.filter((one) => one.item !== item) });
}

/** Inserts an item behind the first one, because the item on screen must stay there. */
function putBehindFirst(items: readonly ReviewItem[], item: ReviewItem): ReviewItem[] {
  return items[0] === undefined ? [item] : [items[0], item, ...items.slice(1)];
}

/** Takes the last decision back; its asset is the next to judge. */
export async function undo(store: ReviewStore): Promise<void> {
  const { decided, isUndoing } = store.getState();
  const last = decided.at(-1);
  if (last === undefined || isUndoing) return;
  const { assetId } = last.item;
  store.set({ isUndoing: true });
  try {
    if (!(await last.sent)) return; // told already
    const { items, queue } = await store.calls.undo(assetId);
    const state = store.getState();
    const rest = state.items.filter((held) => held.assetId !== assetId);
    store.set({ items: [...items, ...rest], queue, count: state.count - 1 });
    store.notify({ kind: "undone", assetId });
  } catch (error) {
    store.notify({ kind: "notUndone", assetId, error });
  } finally {
    forget(store, last.item);
    store.set({ isUndoing: false });
  }
}
