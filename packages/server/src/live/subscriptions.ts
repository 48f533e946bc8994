import type { Context } from "../context.ts";
import { type Listening, listen } from "../db/listen.ts";
import type { AccountId, TaskId } from "../ids.ts";
import { changesChannel, movesChannel, parseChanges } from "./announce-changes.ts";
import { createBatches } from "./batches.ts";
import { createConnectionLimits } from "./connection-limits.ts";
import { createFollowedAccounts, type FollowedAccounts } from "./followed-accounts.ts";
import { createFollowedCallers, type FollowedCaller } from "./followed-callers.ts";
import { createFollowedTasks } from "./followed-tasks.ts";
import { createKnownStates } from "./known-states.ts";
import { createSubscriber, type Hub, type Subscription } from "./subscription.ts";
import type { TaskState } from "./task-state.ts";

const subscriptionLimits = {
  clientsMax: 20_000,
  clientsPerAccountMax: 1_000,
  batchEveryMs: 25,
  batchPauseMs: 1_000,
  idsPerBatchMax: 300,
  /** A change whose notification was lost is seen after this. */
  pollAgainMs: 10_000,
  /** A revoked key or session ends after this at the latest, plus the time that keys are cached. */
  checkKeysMs: 4_000,
};

/** The clients of this process that wait for changes of tasks. */
export interface Subscriptions {
  subscribe(
    caller: FollowedCaller,
    taskId: TaskId,
  ): Subscription | { kind: "full"; limit: "process" | "account" };
  /** Follows all tasks of the client's account, until the returned function is called. */
  watch: FollowedAccounts["watch"];
  /** The number of waiting clients. */
  count(): number;
  /** Starts listening for changes. */
  open(): void;
  /** Ends all waits; later subscriptions end immediately. */
  drain(): void;
  close(): Promise<void>;
}

/**
 * Delivers changes of tasks, made by any process, to the clients that wait for them. A notification
 * only names the task: the rows are the truth. Without changes, followed tasks are read every few
 * seconds, hundreds of them in one query.
 */
export function createSubscriptions(
  ctx: Context,
  read: (taskIds: TaskId[]) => Promise<Map<TaskId, TaskState>>,
  changes: Partial<typeof subscriptionLimits> = {},
  /** An account has left this shard. */
  onMoved: (accountId: AccountId) => void = () => {},
): Subscriptions {
  const limits = { ...subscriptionLimits, ...changes };
  const { followed, known, batches, readAgain } = createReads(ctx, read, limits);
  const connectionLimits = createConnectionLimits(limits);
  let isDraining = false;
  let listening: Listening | undefined;
  const callers = createFollowedCallers(ctx.pool, ctx.log, ctx.directory.pool);
  const accounts = createFollowedAccounts(connectionLimits, callers);
  const timers: NodeJS.Timeout[] = [];
  const hub: Hub = {
    ask: batches.add,
    known: known.get,
    onClose(subscriber) {
      const { caller, taskId } = subscriber;
      connectionLimits.leave(caller.id);
      callers.remove(caller, subscriber);
      if (!followed.remove(taskId, subscriber)) batches.remove(taskId);
    },
  };

  return {
    subscribe(caller, taskId) {
      const limit = connectionLimits.enter(caller.id);
      if (limit !== null) return { kind: "full", limit };
      const subscriber = createSubscriber(hub, caller, taskId);
      followed.add(taskId, subscriber);
      callers.add(caller, subscriber);
      if (isDraining) subscriber.end();
      return subscriber.subscription;
    },
    watch: accounts.watch,
    count: connectionLimits.total,
    open() {
      timers.push(
        startRounds(followed.groups, limits.pollAgainMs, readAgain),
        setInterval(callers.check, limits.checkKeysMs),
      );
      listening = listenForChanges(ctx, {
        onMessage(payload, channel) {
          if (channel === movesChannel) return noteMoved(callers, payload as AccountId, onMoved);
          const changed = parseChanges(payload);
          for (const { taskId } of changed) known.forget(taskId);
          readAgain(changed.map(({ taskId }) => taskId));
          accounts.note(changed);
        },
        onConnect() {
          known.forgetAll();
          readAgain(followed.ids());
          accounts.noteAll();
        },
      });
    },
    drain() {
      isDraining = true;
      for (const taskId of followed.ids())
        for (const subscriber of followed.subscribersOf(taskId)) subscriber.end();
      accounts.end();
    },
    async close() {
      for (const timer of timers) clearInterval(timer);
      await listening?.close();
    },
  };
}

/** Reads the followed tasks that are due, many in one query, and gives their states to the subscribers. */
function createReads(
  { log }: Context,
  read: (taskIds: TaskId[]) => Promise<Map<TaskId, TaskState>>,
  limits: typeof subscriptionLimits,
) {
  const followed = createFollowedTasks();
  const known = createKnownStates({ knownMs: limits.pollAgainMs, tasksMax: limits.clientsMax });
  const batches: ReturnType<typeof createBatches<TaskId, TaskState>> = createBatches({
    everyMs: limits.batchEveryMs,
    pauseMs: limits.batchPauseMs,
    idsMax: limits.idsPerBatchMax,
    read,
    deliver(taskId, state, batch) {
      // Of a task that nobody follows, or that is due again, this may be an earlier state.
      if (state !== undefined && followed.has(taskId) && !batches.has(taskId))
        known.put(taskId, state);
      else known.forget(taskId);
      for (const subscriber of followed.subscribersOf(taskId)) subscriber.deliver(state, batch);
    },
    fail(taskIds, error, batch) {
      log.warn({ event: "subscriptions.unread", tasks: taskIds.length, reason: String(error) });
      for (const taskId of taskIds)
        for (const subscriber of followed.subscribersOf(taskId)) subscriber.fail(error, batch);
      readAgain(taskIds);
    },
  });

  function readAgain(taskIds: Iterable<TaskId>): void {
    for (const taskId of taskIds) if (followed.has(taskId)) batches.add(taskId);
  }
  return { followed, known, batches, readAgain };
}

function noteMoved(
  callers: ReturnType<typeof createFollowedCallers>,
  accountId: AccountId,
  onMoved: (accountId: AccountId) => void,
): void {
  onMoved(accountId);
  callers.endAccount(accountId);
}

function listenForChanges(
  { config, log }: Context,
  handlers: Pick<Parameters<typeof listen>[0], "onMessage" | "onConnect">,
): Listening {
  const name = "zoetrope api, listening";
  const { url, sessionUrl } = config.database;
  const channels = [changesChannel, movesChannel];
  return listen({ url: sessionUrl ?? url, name, channels, log, ...handlers });
}

/** Reads one group after another, each once per period. */
function startRounds(
  groups: readonly Set<TaskId>[],
  periodMs: number,
  readAgain: (taskIds: Iterable<TaskId>) => void,
): NodeJS.Timeout {
  let next = 0;
  return setInterval(() => {
    const group = groups[next++ % groups.length];
    if (group !== undefined) readAgain(group);
  }, periodMs / groups.length);
}
