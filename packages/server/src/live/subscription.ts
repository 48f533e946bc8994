import type { TaskState } from "./task-state.ts";

/** One client that follows one task. */
export interface Watch {
  /** What the task looks like now, read together with others. `undefined`: there is no such task. */
  read(): Promise<TaskState | undefined>;
  /** The next state that is not this version; `null` when the time is over or the watch has ended. */
  change(version: string, msMax: number): Promise<TaskState | null>;
  /** Nothing more will come: the client is gone, or this process is being drained. */
  hasEnded(): boolean;
  /** The client's key is no longer good: it is told nothing more. */
  isRevoked(): boolean;
  isClosed(): boolean;
  close(): void;
}

/** The room's side of it. */
export interface Watcher {
  watch: Watch;
  /** What the room has read, and in which turn it began to. */
  deliver(state: TaskState | undefined, turn: number): void;
  /** Reading failed: whoever asked is told, whoever waits for a change waits on. */
  fail(error: unknown, turn: number): void;
  /** Whoever waits for a change is answered now. Reading is still possible. */
  end(): void;
  /** Ends it because the client's key is no longer good. */
  revoke(): void;
}

interface Reading {
  /** A turn that began before the question was asked does not answer it. */
  fromTurn: number;
  resolve(state: TaskState | undefined): void;
  reject(error: unknown): void;
}

interface Changing {
  version: string;
  timer: NodeJS.Timeout;
  resolve(state: TaskState | null): void;
}

/** `ask` has the task read in a coming turn and says in which at the earliest. */
export function createSubscriber(options: { ask(): number; onClose(): void }): Watcher {
  let reading: Reading | null = null;
  let changing: Changing | null = null;
  /** Came while nobody asked. */
  let unseen: TaskState | null = null;
  let hasEnded = false;
  let isRevoked = false;
  let isClosed = false;

  function settle(state: TaskState | null): void {
    if (changing === null) return;
    const { resolve, timer } = changing;
    changing = null;
    clearTimeout(timer);
    resolve(state);
  }

  function end(): void {
    hasEnded = true;
    settle(null);
  }

  const watch: Watch = {
    read() {
      if (isClosed) return Promise.resolve(undefined);
      const { promise, resolve, reject } = Promise.withResolvers<TaskState | undefined>();
      reading = { fromTurn: options.ask(), resolve, reject };
      return promise;
    },
    change(version, msMax) {
      const state = unseen;
      unseen = null;
      if (state !== null && state.version !== version) return Promise.resolve(state);
      if (hasEnded) return Promise.resolve(null);
      return new Promise((resolve) => {
        changing = { version, resolve, timer: setTimeout(settle, msMax, null) };
      });
    },
    hasEnded: () => hasEnded,
    isRevoked: () => isRevoked,
    isClosed: () => isClosed,
    close() {
      if (isClosed) return;
      isClosed = true;
      end();
      reading?.resolve(undefined);
      reading = null;
      options.onClose();
    },
  };

  return {
    watch,
    end,
    revoke() {
      isRevoked = true;
      end();
    },
    deliver(state, turn) {
      if (reading !== null && turn >= reading.fromTurn) {
        reading.resolve(state);
        reading = null;
        unseen = null; // the same or an older one
        return;
      }
      if (state === undefined) return;
      if (changing === null) unseen = state;
      else if (changing.version !== state.version) settle(state);
    },
    fail(error, turn) {
      if (reading === null || turn < reading.fromTurn) return;
      reading.reject(error);
      reading = null;
    },
  };
}
