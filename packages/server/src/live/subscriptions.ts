import type { Context } from "../context.ts";
import { changesChannel } from "../db/announcer.ts";
import { type Listening, listen } from "../db/listen.ts";
import { createBatches } from "./batches.ts";
import { createConnectionLimits } from "./connection-limits.ts";
import { createFollowedKeys } from "./followed-keys.ts";
import { createFollowedTasks } from "./followed-tasks.ts";
import { createSubscriber, type Watch } from "./subscription.ts";
import type { TaskState } from "./task-state.ts";

const roomLimits = {
  clientsMax: 20_000,
  clientsPerAccountMax: 1_000,
  turnEveryMs: 25,
  turnPauseMs: 1_000,
  idsPerTurnMax: 300,
  /** However a change went unheard, it is seen after this. */
  pollAgainMs: 10_000,
  /** A key that was revoked waits this long at most; what is remembered of it comes on top. */
  checkKeysMs: 4_000,
};

/** The clients of this process that wait for tasks to change. */
export interface Subscriptions {
  watch(
    client: { id: string; keyId: string },
    taskId: string,
  ): Watch | { isFull: "room" | "account" };
  /** How many wait. */
  count(): number;
  /** From here on changes are heard of. */
  open(): void;
  /** Everybody is answered now, and nobody waits any more. */
  drain(): void;
  close(): Promise<void>;
}

/**
 * Brings changes of tasks, made by whichever process, to those who wait for them. An announcement says
 * only which task to look at: the rows are the truth. While nothing changes, clients cost the database
 * a look every few seconds, at hundreds of tasks in one query.
 */
export function createSubscriptions(
  ctx: Context,
  read: (taskIds: string[]) => Promise<Map<string, TaskState>>,
  changes: Partial<typeof roomLimits> = {},
): Subscriptions {
  const limits = { ...roomLimits, ...changes };
  const followed = createFollowedTasks();
  const connectionLimits = createConnectionLimits(limits);
  let isDraining = false;
  let listening: Listening | undefined;
  const keys = createFollowedKeys(ctx.pool, ctx.log);
  const timers: NodeJS.Timeout[] = [];

  const turns = createBatches<TaskState>({
    everyMs: limits.turnEveryMs,
    pauseMs: limits.turnPauseMs,
    idsMax: limits.idsPerTurnMax,
    read,
    deliver(taskId, state, turn) {
      for (const watcher of followed.subscribersOf(taskId)) watcher.deliver(state, turn);
    },
    fail(taskIds, error, turn) {
      ctx.log.warn({ event: "waiting.unread", tasks: taskIds.length, reason: String(error) });
      for (const taskId of taskIds)
        for (const watcher of followed.subscribersOf(taskId)) watcher.fail(error, turn);
      lookAt(taskIds);
    },
  });

  function lookAt(taskIds: Iterable<string>): void {
    for (const taskId of taskIds) if (followed.has(taskId)) turns.add(taskId);
  }

  return {
    watch({ id: accountId, keyId }, taskId) {
      const isFull = connectionLimits.enter(accountId);
      if (isFull !== null) return { isFull };
      const watcher = createSubscriber({
        ask: () => turns.add(taskId),
        onClose() {
          connectionLimits.leave(accountId);
          keys.remove(keyId, watcher);
          if (!followed.remove(taskId, watcher)) turns.remove(taskId);
        },
      });
      followed.add(taskId, watcher);
      keys.add(keyId, watcher);
      if (isDraining) watcher.end();
      return watcher.watch;
    },
    count: connectionLimits.total,
    open() {
      timers.push(
        startRounds(followed.slots, limits.pollAgainMs, lookAt),
        setInterval(keys.check, limits.checkKeysMs),
      );
      listening = listen({
        url: ctx.config.database.url,
        name: "zoetrope api, listening",
        channel: changesChannel,
        log: ctx.log,
        onMessage: (payload) => lookAt(payload.split(",")),
        onConnect: () => lookAt(followed.ids()),
      });
    },
    drain() {
      isDraining = true;
      for (const taskId of followed.ids())
        for (const watcher of followed.subscribersOf(taskId)) watcher.end();
    },
    async close() {
      for (const timer of timers) clearInterval(timer);
      await listening?.close();
    },
  };
}

/** Looks at one slot after the other, so that each has its turn once in the period. */
function startRounds(
  slots: readonly Set<string>[],
  periodMs: number,
  lookAt: (taskIds: Iterable<string>) => void,
): NodeJS.Timeout {
  let next = 0;
  return setInterval(() => {
    lookAt(slots[next++ % slots.length] ?? []);
  }, periodMs / slots.length);
}
