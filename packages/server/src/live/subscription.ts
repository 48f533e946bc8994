import type { TaskId } from "../ids.ts";
import type { FollowedCaller, Revocable } from "./followed-callers.ts";
import type { KnownState } from "./known-states.ts";
import type { TaskState } from "./task-state.ts";

/** One client that follows one task, as the client's side sees it. */
export interface Subscription {
  kind: "open";
  /** The state that was read last, in memory: as fresh as what any other client of the task has. */
  known(): KnownState | undefined;
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

/** The client as the subscriptions see it. */
export interface Subscriber extends Revocable {
  subscription: Subscription;
  taskId: TaskId;
  caller: FollowedCaller;
  /** A state that was read, and the batch that read it. */
  deliver(state: TaskState | undefined, batch: number): void;
  /** Reading failed: `read` rejects, `change` keeps waiting. */
  fail(error: unknown, batch: number): void;
}

interface Reading {
  /** The first batch whose result can be used: one that started before the request cannot. */
  fromBatch: number;
  resolve(state: TaskState | undefined): void;
  reject(error: unknown): void;
}

interface Changing {
  version: string;
  timer: NodeJS.Timeout;
  resolve(state: TaskState | null): void;
}

/** The functions that the subscriptions of a process share. */
export interface Hub {
  /** Schedules a read of the task and returns the earliest batch that includes it. */
  ask(taskId: TaskId): number;
  known(taskId: TaskId): KnownState | undefined;
  onClose(subscriber: Subscriber): void;
}

/** A class: ten thousand clients wait at once, and with closures each of them took 1 KB more. */
class WaitingClient implements Subscription, Subscriber {
  readonly kind = "open";
  readonly #hub: Hub;
  readonly taskId: TaskId;
  readonly caller: FollowedCaller;
  #reading: Reading | null = null;
  #changing: Changing | null = null;
  /** A state that arrived while nobody waited. */
  #unseen: TaskState | null = null;
  #hasEnded = false;
  #isRevoked = false;
  #isClosed = false;

  constructor(hub: Hub, caller: FollowedCaller, taskId: TaskId) {
    this.#hub = hub;
    this.caller = caller;
    this.taskId = taskId;
  }

  get subscription(): Subscription {
    return this;
  }

  known(): KnownState | undefined {
    return this.#isClosed ? undefined : this.#hub.known(this.taskId);
  }

  read(): Promise<TaskState | undefined> {
    if (this.#isClosed) return Promise.resolve(undefined);
    const { promise, resolve, reject } = Promise.withResolvers<TaskState | undefined>();
    this.#reading = { fromBatch: this.#hub.ask(this.taskId), resolve, reject };
    return promise;
  }

  change(version: string, msMax: number): Promise<TaskState | null> {
    const state = this.#unseen;
    this.#unseen = null;
    if (state !== null && state.version !== version) return Promise.resolve(state);
    if (this.#hasEnded) return Promise.resolve(null);
    return new Promise((resolve) => {
      this.#changing = { version, timer: setTimeout(WaitingClient.#giveUp, msMax, this), resolve };
    });
  }

  hasEnded(): boolean {
    return this.#hasEnded;
  }

  isRevoked(): boolean {
    return this.#isRevoked;
  }

  isClosed(): boolean {
    return this.#isClosed;
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.end();
    this.#reading?.resolve(undefined);
    this.#reading = null;
    this.#hub.onClose(this);
  }

  end(): void {
    this.#hasEnded = true;
    this.#settle(null);
  }

  revoke(): void {
    this.#isRevoked = true;
    this.end();
  }

  deliver(state: TaskState | undefined, batch: number): void {
    if (this.#reading !== null && batch >= this.#reading.fromBatch) {
      this.#reading.resolve(state);
      this.#reading = null;
      this.#unseen = null; // the same or an older one
      return;
    }
    if (state === undefined) return;
    if (this.#changing === null) this.#unseen = state;
    else if (this.#changing.version !== state.version) this.#settle(state);
  }

  fail(error: unknown, batch: number): void {
    if (this.#reading === null || batch < this.#reading.fromBatch) return;
    this.#reading.reject(error);
    this.#reading = null;
  }

  static #giveUp(client: WaitingClient): void {
    client.#settle(null);
  }

  #settle(state: TaskState | null): void {
    if (this.#changing === null) return;
    const { resolve, timer } = this.#changing;
    this.#changing = null;
    clearTimeout(timer);
    resolve(state);
  }
}

export function createSubscriber(hub: Hub, caller: FollowedCaller, taskId: TaskId): Subscriber {
  return new WaitingClient(hub, caller, taskId);
}
