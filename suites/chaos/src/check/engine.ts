import type { Evidence, Violation } from "./evidence.ts";
import { isTerminal } from "./statuses.ts";

/** I14: the engine has nothing paused, and nothing under way for a task that is over. */
export function checkEngine({ rows, invocations }: Evidence): Violation[] {
  const over = new Set(rows.tasks.flatMap((task) => (isTerminal(task.status) ? task.id : [])));
  return invocations.flatMap((invocation) => {
    if (invocation.status === "paused")
      return [{ what: `invocation ${invocation.id} is paused`, rows: [invocation] }];
    if (over.has(invocation.taskId))
      return [
        {
          what: `${invocation.status} for task ${invocation.taskId}, which is over`,
          rows: [invocation],
        },
      ];
    return [];
  });
}
