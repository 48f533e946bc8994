import { setTimeout as pause } from "node:timers/promises";
import type { TaskId } from "../ids.ts";
import type { Log } from "../log.ts";
import type { OpenTask } from "./open-task-queries.ts";

const pauseMs = 500; // doubles
const pauseMsMax = 10_000;

/**
 * Retries work that only internal failures can stop (storage, database or disk unavailable) until it
 * succeeds. Once `isOver` returns true, the last error is thrown.
 */
export async function retryUntil<Result>(
  options: { log: Log; what: string; taskId: TaskId; isOver(): boolean },
  work: () => Promise<Result>,
): Promise<Result> {
  const { log, what, taskId, isOver } = options;
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (isOver()) throw error;
      log.warn({ event: "task.delayed", taskId, what, tries, reason: String(error) });
      await pause(Math.min(pauseMs * 2 ** (tries - 1), pauseMsMax));
    }
  }
}

/**
 * Retries until the task's deadline. The engine's retries cannot do it: they would start with a submit
 * that is already spent.
 */
export function untilDeadline<Result>(
  { log }: { log: Log },
  { taskId, deadlineAt }: OpenTask,
  what: string,
  work: () => Promise<Result>,
): Promise<Result> {
  const isOver = () => Date.now() > deadlineAt.getTime();
  return retryUntil({ log, taskId, what, isOver }, work);
}
