import { setTimeout as pause } from "node:timers/promises";
import type { Context } from "../context.ts";
import type { OpenTask } from "../tasks/queries.ts";

const pauseMs = 500; // doubles
const pauseMsMax = 10_000;

/**
 * Repeats what only trouble of our own can stop (storage, database or disk away) until the task's
 * deadline. Here and not by the engine's retries: those would begin with a submit that is already spent.
 */
export async function untilDeadline<Result>(
  ctx: Context,
  { taskId, deadlineAt }: OpenTask,
  what: string,
  work: () => Promise<Result>,
): Promise<Result> {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (Date.now() > deadlineAt.getTime()) throw error;
      ctx.log.warn({ event: "task.delayed", taskId, what, tries, reason: String(error) });
      await pause(Math.min(pauseMs * 2 ** (tries - 1), pauseMsMax));
    }
  }
}
