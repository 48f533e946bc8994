import type { Watcher } from "./subscription.ts";

const slotCount = 40;

/** Which tasks are followed and by whom. */
export function createFollowedTasks() {
  const tasks = new Map<string, { watchers: Set<Watcher>; slot: Set<string> }>();
  /** The tasks once more, in parts of one size, to take them in turn. */
  const slots = Array.from({ length: slotCount }, () => new Set<string>());
  let added = 0;

  function begin(taskId: string) {
    const slot = slots[added++ % slotCount] ?? new Set();
    const entry = { watchers: new Set<Watcher>(), slot: slot.add(taskId) };
    tasks.set(taskId, entry);
    return entry;
  }

  return {
    slots,
    has: (taskId: string) => tasks.has(taskId),
    ids: () => tasks.keys(),
    subscribersOf: (taskId: string): Iterable<Watcher> => tasks.get(taskId)?.watchers ?? [],
    add(taskId: string, watcher: Watcher): void {
      (tasks.get(taskId) ?? begin(taskId)).watchers.add(watcher);
    },
    /** Says whether somebody else follows it. */
    remove(taskId: string, watcher: Watcher): boolean {
      const entry = tasks.get(taskId);
      entry?.watchers.delete(watcher);
      if (entry === undefined || entry.watchers.size > 0) return entry !== undefined;
      entry.slot.delete(taskId);
      tasks.delete(taskId);
      return false;
    },
  };
}
