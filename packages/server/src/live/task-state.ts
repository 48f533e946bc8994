import type { VisibleTask } from "../tasks/task-row.ts";

/** A task as it looks to its owner at a moment. */
export interface TaskState {
  task: VisibleTask;
  /** What the query answers. */
  view: Record<string, unknown>;
  /** Of the view: its ETag. */
  version: string;
}

/** From here on it looks the same for ever. */
export function isOver({ task }: TaskState): boolean {
  return task.completed_at !== null;
}
