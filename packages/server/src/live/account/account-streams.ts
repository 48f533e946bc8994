import type { Context } from "../../context.ts";
import { takeOldest } from "../../flow/take-oldest.ts";
import type { AccountId, TaskId } from "../../ids.ts";
import { createBatches } from "../batches.ts";
import { createConnectionLimits } from "../connection-limits.ts";
import type { Watcher } from "../followed-accounts.ts";
import type { Subscriptions } from "../subscriptions.ts";
import { type AccountUpdates, type Question, statesMax } from "./read-updates.ts";

const accountStreamLimits = {
  streamsMax: 5_000,
  streamsPerAccountMax: 50,
  batchEveryMs: 25,
  batchPauseMs: 1_000,
  streamsPerBatchMax: 50,
  /** A change whose notification was lost is seen after this. */
  pollAgainMs: 10_000,
};
/**
 * The maximum number of changes kept for a client that does not read: beyond that its open tasks are read
 * instead.
 */
const changedTasksMax = 500;
/** The maximum number of known tasks. Beyond it, states are sent again that the client has. */
const knownTasksMax = 2_000;

/** One client that follows an account. Nothing is read for it while it is not waiting. */
export interface AccountStream {
  kind: "open";
  /** Returns the changes, or null after `msMax` or when the stream has ended. */
  next(msMax: number): Promise<AccountUpdates | null>;
  hasEnded(): boolean;
  isRevoked(): boolean;
  close(): void;
}

export interface AccountStreams {
  /** `position`: the number of the last event that the client has; null: it begins now. */
  open(
    client: Parameters<Subscriptions["watch"]>[0],
    position: number | null,
  ): AccountStream | { kind: "full"; limit: "process" | "account" };
}

interface Follower {
  accountId: AccountId;
  position: number | null;
  /** Whether nothing was read for it yet. */
  isFirst: boolean;
  /** Tasks that were announced and not read. */
  changed: Set<TaskId>;
  isAllDue: boolean;
  isDue: boolean;
  /** The versions of open tasks that the client has. */
  known: Map<TaskId, string>;
  waiting: { resolve(updates: AccountUpdates | null): void; timer: NodeJS.Timeout } | null;
}

/** Sends clients every change of their account's tasks, many clients in a few queries. */
export function createAccountStreams(
  ctx: Context,
  subscriptions: Subscriptions,
  read: (questions: Question[]) => Promise<AccountUpdates[]>,
  changes: Partial<typeof accountStreamLimits> = {},
): AccountStreams {
  const limits = { ...accountStreamLimits, ...changes };
  const streamLimits = createConnectionLimits({
    clientsMax: limits.streamsMax,
    clientsPerAccountMax: limits.streamsPerAccountMax,
  });
  const batches = createBatches<Follower, AccountUpdates>({
    everyMs: limits.batchEveryMs,
    pauseMs: limits.batchPauseMs,
    idsMax: limits.streamsPerBatchMax,
    async read(due) {
      const followers = due.filter(({ waiting }) => waiting !== null);
      if (followers.length === 0) return new Map();
      const updates = await read(followers.map(takeQuestion));
      return new Map(updates.map((of, index) => [followers[index] as Follower, of]));
    },
    deliver(follower, updates) {
      if (updates !== undefined) deliver(follower, updates);
      wake(follower);
    },
    fail(followers, error) {
      const count = followers.length;
      ctx.log.warn({ event: "account_streams.unread", streams: count, reason: String(error) });
      for (const follower of followers) {
        follower.isAllDue = true;
        follower.isDue = true;
        wake(follower);
      }
    },
  });

  /** Wakes a client that waits. Another one is read for when it waits again. */
  function wake(follower: Follower): void {
    if (follower.isDue && follower.waiting !== null) batches.add(follower);
  }

  return {
    open(client, position) {
      const limit = streamLimits.enter(client.id);
      if (limit !== null) return { kind: "full", limit };
      const follower = newFollower(client.id, position);
      const { watcher, state } = createWatcher(follower, wake);
      const watched = subscriptions.watch(client, watcher);
      if (watched.kind === "full") {
        streamLimits.leave(client.id);
        return watched;
      }
      const poll = setInterval(watcher.noteAll, limits.pollAgainMs);
      return {
        kind: "open",
        next(msMax) {
          if (state.hasEnded) return Promise.resolve(null);
          return new Promise((resolve) => {
            follower.waiting = { resolve, timer: setTimeout(settle, msMax, follower, null) };
            wake(follower);
          });
        },
        hasEnded: () => state.hasEnded,
        isRevoked: () => state.isRevoked,
        close() {
          if (state.isClosed) return;
          state.isClosed = true;
          watcher.end();
          clearInterval(poll);
          batches.remove(follower);
          watched.leave();
          streamLimits.leave(client.id);
        },
      };
    },
  };
}

function newFollower(accountId: AccountId, position: number | null): Follower {
  return {
    accountId,
    position,
    changed: new Set<TaskId>(),
    known: new Map<TaskId, string>(),
    isFirst: true,
    isAllDue: true,
    isDue: true,
    waiting: null,
  };
}

function createWatcher(follower: Follower, wake: (follower: Follower) => void) {
  const state = { hasEnded: false, isRevoked: false, isClosed: false };
  const watcher: Watcher = {
    note(taskId) {
      if (follower.changed.size >= changedTasksMax) return watcher.noteAll();
      follower.changed.add(taskId);
      follower.isDue = true;
      wake(follower);
    },
    noteAll() {
      follower.changed.clear();
      follower.isAllDue = true;
      follower.isDue = true;
      wake(follower);
    },
    end() {
      state.hasEnded = true;
      settle(follower, null);
    },
    revoke() {
      state.isRevoked = true;
      watcher.end();
    },
  };
  return { watcher, state };
}

/** Takes the pending question; later changes become due again. */
function takeQuestion(follower: Follower): Question {
  const { accountId, position, changed, isAllDue } = follower;
  const tasks = isAllDue ? ("all" as const) : takeOldest(changed, statesMax);
  if (isAllDue) changed.clear();
  follower.isAllDue = false;
  follower.isDue = changed.size > 0;
  return { accountId, position, tasks };
}

/** Gives a waiting client what it does not have. */
function deliver(follower: Follower, updates: AccountUpdates): void {
  const { known, changed, isFirst } = follower;
  follower.isFirst = false;
  follower.position = updates.position;
  for (const taskId of updates.leftOut) changed.add(taskId);
  if (updates.hasMore || changed.size > 0) follower.isDue = true;
  if (known.size > knownTasksMax) known.clear();
  const states = updates.states.filter(({ task, version }) => known.get(task.id) !== version);
  for (const { task, version } of states) known.set(task.id, version);
  for (const { taskId } of updates.events) known.delete(taskId);
  if (isFirst || states.length > 0 || updates.events.length > 0)
    settle(follower, { ...updates, states });
}

function settle(follower: Follower, updates: AccountUpdates | null): void {
  const { waiting } = follower;
  if (waiting === null) return;
  follower.waiting = null;
  clearTimeout(waiting.timer);
  waiting.resolve(updates);
}
