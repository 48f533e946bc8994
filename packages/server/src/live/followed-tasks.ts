import assert from "node:assert";
import type { TaskId } from "../ids.ts";
import type { Subscriber } from "./subscription.ts";

const groupCount = 40;

/** The followed tasks and their subscribers. */
export function createFollowedTasks() {
  const tasks = new Map<TaskId, { subscribers: Set<Subscriber>; group: Set<TaskId> }>();
  /** The tasks in groups of about equal size, which are polled one after another. */
  const groups = Array.from({ length: groupCount }, () => new Set<TaskId>());
  let added = 0;

  function follow(taskId: TaskId) {
    const group = groups[added++ % groupCount];
    assert(group !== undefined);
    const entry = { subscribers: new Set<Subscriber>(), group: group.add(taskId) };
    tasks.set(taskId, entry);
    return entry;
  }

  return {
    groups,
    has: (taskId: TaskId) => tasks.has(taskId),
    ids: () => tasks.keys(),
    subscribersOf: (taskId: TaskId): Iterable<Subscriber> => tasks.get(taskId)?.subscribers ?? [],
    add(taskId: TaskId, subscriber: Subscriber): void {
      (tasks.get(taskId) ?? follow(taskId)).subscribers.add(subscriber);
    },
    /** Returns whether the task has other subscribers. */
    remove(taskId: TaskId, subscriber: Subscriber): boolean {
      const entry = tasks.get(taskId);
      entry?.subscribers.delete(subscriber);
      if (entry === undefined || entry.subscribers.size > 0) return entry !== undefined;
      entry.group.delete(taskId);
      tasks.delete(taskId);
      return false;
    },
  };
}
