import type { Context } from "../../context.ts";
import type { OpenTask } from "../../tasks/open-task-queries.ts";
import { persist } from "../../tasks/persist.ts";

/**
 * Retries until the task's deadline. The engine's retries cannot do it: they would start with a submit
 * that is already spent.
 */
export function untilDeadline<Result>(
  { log }: Context,
  { taskId, deadlineAt }: OpenTask,
  what: string,
  work: () => Promise<Result>,
): Promise<Result> {
  const isOver = () => Date.now() > deadlineAt.getTime();
  return persist({ log, taskId, what, isOver }, work);
}
