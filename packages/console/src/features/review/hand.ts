import type { ReviewItem } from "@zoetrope/sdk/admin";
import type { Calls, Judgement, Queue } from "./calls.ts";

/** A decision of this visit, until it is undone. */
interface Decided {
  item: ReviewItem;
  judgement: Judgement;
  /** Whether the service took it. */
  sent: Promise<boolean>;
}

/** What happened to an asset other than what its reviewer asked for. */
export type News =
  | { kind: "lost"; assetIds: number[] }
  | { kind: "failed"; assetId: number; error: unknown }
  | { kind: "undone" | "unseen"; assetId: number }
  | { kind: "notUndone"; assetId: number; error: unknown };

export interface HandState {
  /** Claimed and not decided; the first is the one to judge. */
  items: readonly ReviewItem[];
  /** Newest last. */
  decided: readonly Decided[];
  queue: Queue | null;
  /** Counts the assets that came first; one that comes back gets another number. */
  turn: number;
  /** The turn whose asset is on screen: only then is it decided on. */
  shownTurn: number;
  /** Whose file could not be shown: nobody approves what they have not seen. */
  broken: ReadonlySet<number>;
  /** How many were decided in this visit. */
  count: number;
  /** Decisions on their way to the service. */
  sending: number;
  isClaiming: boolean;
  isUndoing: boolean;
  /** Nothing free waits. */
  isDrained: boolean;
  /** Why nothing more could be claimed. */
  error: unknown;
}

const empty: HandState = {
  ...{ items: [], decided: [], queue: null, turn: 0, shownTurn: -1, count: 0, sending: 0 },
  broken: new Set(),
  ...{ isClaiming: false, isUndoing: false, isDrained: false, error: null },
};

/** What a reviewer has in hand. */
export interface Hand {
  readonly calls: Calls;
  tell(news: News): void;
  getState(): HandState;
  set(change: Partial<HandState>): void;
  subscribe(listener: () => void): () => void;
}

/** A store of its own: a key that goes down must not meet a state that is yet to be rendered. */
export function createHand(calls: Calls, tell: (news: News) => void): Hand {
  let state = empty;
  const listeners = new Set<() => void>();
  return {
    ...{ calls, tell },
    getState: () => state,
    set(change) {
      const before = state.items[0]?.assetId;
      state = { ...state, ...change };
      if (state.items[0]?.assetId !== before) state = { ...state, turn: state.turn + 1 };
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

/** The asset of this turn is on screen. */
export function show(hand: Hand, turn: number): void {
  const state = hand.getState();
  if (turn === state.turn && state.shownTurn !== turn) hand.set({ shownTurn: turn });
}

/** The asset that may be decided on now: the one that the reviewer sees. */
export function shownItem({ items, turn, shownTurn }: HandState): ReviewItem | null {
  return turn === shownTurn ? (items[0] ?? null) : null;
}
