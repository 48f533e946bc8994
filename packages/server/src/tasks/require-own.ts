import type { Caller } from "../accounts/queries.ts";
import type { TaskKind } from "../engine/waker.ts";
import { ApiError } from "../errors.ts";
import type { TaskRow } from "./task-row.ts";

/** Another account's task is refused; a task of the other kind is not found. */
export function requireOwn<Task extends Pick<TaskRow, "account_id" | "kind">>(
  task: Task | undefined,
  caller: Caller,
  kind: TaskKind,
): Task {
  if (task === undefined || task.kind !== kind) throw new ApiError("task_not_found");
  if (task.account_id !== caller.id) throw new ApiError("access_denied");
  return task;
}
