import { ApiError } from "@zoetrope/sdk";
import type { ReviewItem } from "@zoetrope/sdk/admin";
import type { Judgement } from "./calls.ts";
import { topUp } from "./claims.ts";
import { type Hand, shownItem } from "./hand.ts";

const rememberedMax = 100;

/**
 * Decides on the asset that was on screen when the key went down; the next one is shown at once, and the
 * service is told meanwhile. False: another one is on screen, or none yet, and nothing is decided.
 */
export function decide(hand: Hand, assetId: number, judgement: Judgement): boolean {
  const state = hand.getState();
  const item = shownItem(state);
  if (item === null || item.assetId !== assetId) return false;
  if (judgement.verdict === "approve" && state.broken.has(assetId)) {
    hand.tell({ kind: "unseen", assetId });
    return false;
  }
  const sent = send(hand, item, judgement);
  hand.set({
    items: state.items.slice(1),
    decided: [...state.decided, { item, judgement, sent }].slice(-rememberedMax),
  });
  topUp(hand);
  return true;
}

/** Puts it behind the others in hand. One that is alone comes again, as another turn. */
export function skip(hand: Hand, assetId: number): boolean {
  const state = hand.getState();
  const [item, ...rest] = state.items;
  if (item === undefined || shownItem(state)?.assetId !== assetId) return false;
  if (rest.length === 0) hand.set({ turn: state.turn + 1 });
  else hand.set({ items: [...rest, item] });
  return true;
}

async function send(hand: Hand, item: ReviewItem, judgement: Judgement): Promise<boolean> {
  const { assetId } = item;
  hand.set({ sending: hand.getState().sending + 1 });
  try {
    await hand.calls.judge(assetId, judgement);
    const { count, queue } = hand.getState();
    const left = queue && { ...queue, waiting: Math.max(0, queue.waiting - 1) };
    hand.set({ count: count + 1, queue: left });
    return true;
  } catch (error) {
    forget(hand, item);
    if (error instanceof ApiError && (error.status === 409 || error.status === 404))
      hand.tell({ kind: "lost", assetIds: [assetId] });
    else {
      hand.set({ items: putBehindFirst(hand.getState().items, item) });
      hand.tell({ kind: "failed", assetId, error });
    }
    return false;
  } finally {
    hand.set({ sending: hand.getState().sending - 1 });
    topUp(hand);
  }
}

function forget(hand: Hand, item: ReviewItem): void {
  hand.set({ decided: hand.getState().decided.filter((one) => one.item !== item) });
}

/** What is on screen stays there. */
function putBehindFirst(items: readonly ReviewItem[], item: ReviewItem): ReviewItem[] {
  return items[0] === undefined ? [item] : [items[0], item, ...items.slice(1)];
}

/** Takes the last decision back; its asset is the next to judge. */
export async function undo(hand: Hand): Promise<void> {
  const { decided, isUndoing } = hand.getState();
  const last = decided.at(-1);
  if (last === undefined || isUndoing) return;
  const { assetId } = last.item;
  hand.set({ isUndoing: true });
  try {
    if (!(await last.sent)) return; // told already
    const { items, queue } = await hand.calls.undo(assetId);
    const state = hand.getState();
    const rest = state.items.filter((held) => held.assetId !== assetId);
    hand.set({ items: [...items, ...rest], queue, count: state.count - 1 });
    hand.tell({ kind: "undone", assetId });
  } catch (error) {
    hand.tell({ kind: "notUndone", assetId, error });
  } finally {
    forget(hand, last.item);
    hand.set({ isUndoing: false });
  }
}
