import type { ReviewItem } from "@zoetrope/sdk/admin";
import type { Calls, Judgement, Queue } from "./calls.ts";

/** A decision of this visit, until it is undone. */
interface Decided {
  item: ReviewItem;
  judgement: Judgement;
  /** Whether the service took it. */
  sent: Promise<boolean>;
}

/** An outcome that the reviewer did not ask for. */
export type ReviewNotice =
  | { kind: "lost"; assetIds: number[] }
  | { kind: "failed"; assetId: number; error: unknown }
  | { kind: "undone" | "unseen"; assetId: number }
  | { kind: "notUndone"; assetId: number; error: unknown };

export interface ReviewState {
  /** Claimed and not decided; the first is the one to judge. */
  items: readonly ReviewItem[];
  /** Newest last. */
  decided: readonly Decided[];
  queue: Queue | null;
  /** The number of the current presentation. An asset that is shown again gets another number. */
  sequence: number;
  /** The sequence number whose asset is on screen. A decision is accepted only if it is the current one. */
  shownSequence: number;
  /** The ids of assets whose file could not be shown: nobody approves what they have not seen. */
  broken: ReadonlySet<number>;
  /** The number of assets decided in this visit. */
  count: number;
  /** Decisions on their way to the service. */
  sending: number;
  isClaiming: boolean;
  isUndoing: boolean;
  /** No unclaimed asset waits. */
  isDrained: boolean;
  /** Why nothing more could be claimed. */
  error: unknown;
}

const empty: ReviewState = {
  items: [],
  decided: [],
  queue: null,
  sequence: 0,
  shownSequence: -1,
  count: 0,
  sending: 0,
  broken: new Set(),
  isClaiming: false,
  isUndoing: false,
  isDrained: false,
  error: null,
};

/** The store of the items that a reviewer is working on. */
export interface ReviewStore {
  readonly calls: Calls;
  notify(notice: ReviewNotice): void;
  getState(): ReviewState;
  set(change: Partial<ReviewState>): void;
  subscribe(listener: () => void): () => void;
}

/**
 * Creates a store outside of React: a key that goes down must not meet a state that is yet to be
 * rendered.
 */
export function createReviewStore(
  calls: Calls,
  notify: (notice: ReviewNotice) => void,
): ReviewStore {
  let state = empty;
  const listeners = new Set<() => void>();
  return {
    calls,
    notify,
    getState: () => state,
    set(change) {
      const before = state.items[0]?.assetId;
      state = { ...state, ...change };
      if (state.items[0]?.assetId !== before) state = { ...state, sequence: state.sequence + 1 };
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
  };
}

/** Notes that the asset with this sequence number is on screen. */
export function show(store: ReviewStore, sequence: number): void {
  const state = store.getState();
  if (sequence === state.sequence && state.shownSequence !== sequence)
    store.set({ shownSequence: sequence });
}

/** The asset that may be decided on now: the one that the reviewer sees. */
export function shownItem({ items, sequence, shownSequence }: ReviewState): ReviewItem | null {
  return sequence === shownSequence ? (items[0] ?? null) : null;
}
