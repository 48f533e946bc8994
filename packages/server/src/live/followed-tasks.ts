import assert from "node:assert";
import type { TaskId } from "../ids.ts";
import type { Subscriber } from "./subscription.ts";

const groupCount = 40;

/** The followed tasks and their subscribers. */
export function createFollowedTasks() {
  /** An array: most tasks have one subscriber, and a set of one takes three times the memory. */
  const tasks = new Map<TaskId, { subscribers: Subscriber[]; group: Set<TaskId> }>();
  /** The tasks in groups of about equal size, which are polled one after another. */
  const groups = Array.from({ length: groupCount }, () => new Set<TaskId>());
  let added = 0;

  function follow(taskId: TaskId) {
    const group = groups[added++ % groupCount];
    assert(group !== undefined);
    const entry = { subscribers: [] as Subscriber[], group: group.add(taskId) };
    tasks.set(taskId, entry);
    return entry;
  }

  return {
    groups,
    has: (taskId: TaskId) => tasks.has(taskId),
    ids: () => tasks.keys(),
    subscribersOf: (taskId: TaskId): Iterable<Subscriber> => tasks.get(taskId)?.subscribers ?? [],
    add(taskId: TaskId, subscriber: Subscriber): void {
      const entry = tasks.get(taskId) ?? follow(taskId);
      entry.subscribers = [...entry.subscribers, subscriber];
    },
    /** Returns whether the task has other subscribers. */
    remove(taskId: TaskId, subscriber: Subscriber): boolean {
      const entry = tasks.get(taskId);
      if (entry === undefined) return false;
      entry.subscribers = entry.subscribers.filter((other) => other !== subscriber);
      if (entry.subscribers.length > 0) return true;
      entry.group.delete(taskId);
      tasks.delete(taskId);
      return false;
    },
  };
}
