import type { VisibleTask } from "../tasks/task-row.ts";

/** A task as its owner sees it at one moment. */
export interface TaskState {
  task: VisibleTask;
  /** The body of the response. */
  view: Record<string, unknown>;
  /** The version of the view: its ETag. */
  version: string;
}

/** The task has ended: its view does not change any more. */
export function isOver({ task }: { task: Pick<VisibleTask, "completed_at"> }): boolean {
  return task.completed_at !== null;
}
