import type { VisibleTask } from "../tasks/task-row.ts";

/** A task as its owner sees it at one moment. */
export interface TaskState {
  task: VisibleTask;
  /** The body of the response. */
  view: Record<string, unknown>;
  /** Of the view: its ETag. */
  version: string;
}

/** The task has ended: its view does not change any more. */
export function isOver({ task }: TaskState): boolean {
  return task.completed_at !== null;
}
