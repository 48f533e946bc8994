import type { TaskState } from "./task-state.ts";

/** One client that follows one task, as the client's side sees it. */
export interface Subscription {
  kind: "open";
  /** The current state of the task, read in a batch. `undefined`: there is no such task. */
  read(): Promise<TaskState | undefined>;
  /** The next state with another version; `null` after `msMax` or when the subscription has ended. */
  change(version: string, msMax: number): Promise<TaskState | null>;
  /** No more changes will come: the client has disconnected, or this process is draining. */
  hasEnded(): boolean;
  /** The client's key is no longer valid: nothing more is sent. */
  isRevoked(): boolean;
  isClosed(): boolean;
  close(): void;
}

/** The same client as the subscriptions see it. */
export interface Subscriber {
  subscription: Subscription;
  /** A state that was read, and the batch that read it. */
  deliver(state: TaskState | undefined, batch: number): void;
  /** Reading failed: `read` rejects, `change` keeps waiting. */
  fail(error: unknown, batch: number): void;
  /** Ends the wait for a change. Reading is still possible. */
  end(): void;
  /** Ends the subscription because the client's key is no longer valid. */
  revoke(): void;
}

interface Reading {
  /** A batch that started before the request does not answer it. */
  fromBatch: number;
  resolve(state: TaskState | undefined): void;
  reject(error: unknown): void;
}

interface Changing {
  version: string;
  timer: NodeJS.Timeout;
  resolve(state: TaskState | null): void;
}

/** `ask` schedules a read of the task and returns the earliest batch that can answer it. */
export function createSubscriber(options: { ask(): number; onClose(): void }): Subscriber {
  let reading: Reading | null = null;
  let changing: Changing | null = null;
  /** A state that arrived while nobody waited. */
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

  const subscription: Subscription = {
    kind: "open",
    read() {
      if (isClosed) return Promise.resolve(undefined);
      const { promise, resolve, reject } = Promise.withResolvers<TaskState | undefined>();
      reading = { fromBatch: options.ask(), resolve, reject };
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
    subscription,
    end,
    revoke() {
      isRevoked = true;
      end();
    },
    deliver(state, batch) {
      if (reading !== null && batch >= reading.fromBatch) {
        reading.resolve(state);
        reading = null;
        unseen = null; // the same or an older one
        return;
      }
      if (state === undefined) return;
      if (changing === null) unseen = state;
      else if (changing.version !== state.version) settle(state);
    },
    fail(error, batch) {
      if (reading === null || batch < reading.fromBatch) return;
      reading.reject(error);
      reading = null;
    },
  };
}
