import { takeOldest } from "../flow/take-oldest.ts";
import type { TaskId } from "../ids.ts";
import type { TaskState } from "./task-state.ts";

/** The part that is kept of a state that was read: enough to let its owner wait for the next one. */
export interface KnownState {
  version: string;
  task: Pick<TaskState["task"], "account_id" | "kind" | "completed_at">;
}

interface Limits {
  /** A state is not known for longer: a change whose notification was lost is seen after this. */
  knownMs: number;
  tasksMax: number;
}

/**
 * Keeps the states of tasks that clients wait for or have just waited for. A client that comes back with
 * the version it has continues to wait without a query, as if its connection had not been cut.
 */
export function createKnownStates({ knownMs, tasksMax }: Limits) {
  const states = new Map<TaskId, KnownState & { until: number }>();
  return {
    get(taskId: TaskId): KnownState | undefined {
      const known = states.get(taskId);
      return known !== undefined && known.until > performance.now() ? known : undefined;
    },
    /** Stores a state. An ended task is not stored, because nobody waits for it. */
    put(taskId: TaskId, { version, task: whole }: TaskState): void {
      states.delete(taskId); // so that the oldest stays the first
      if (whole.completed_at !== null) return;
      const { account_id, kind, completed_at } = whole;
      const task = { account_id, kind, completed_at };
      states.set(taskId, { version, task, until: performance.now() + knownMs });
      if (states.size > tasksMax) takeOldest(states, 1);
    },
    /** It may have another state by now. */
    forget(taskId: TaskId): void {
      states.delete(taskId);
    },
    forgetAll(): void {
      states.clear();
    },
  };
}
