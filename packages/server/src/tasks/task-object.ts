import { type ObjectContext, TerminalError } from "@restatedev/restate-sdk";
import type { Context } from "../context.ts";
import type { TaskId } from "../ids.ts";

/**
 * Runs a handler of a task. If the retries of a step are used up, the row waits: the sweep or the
 * poller wakes the task again, until its deadline. An internal failure never ends a task.
 */
export async function runTaskHandler(
  ctx: Context,
  step: ObjectContext,
  handle: (taskId: TaskId) => Promise<void>,
): Promise<void> {
  try {
    await handle(step.key as TaskId); // only wake-ups name it
  } catch (error) {
    if (!(error instanceof TerminalError)) throw error;
    ctx.log.error({ event: "task.postponed", taskId: step.key, reason: error.message });
  }
}
