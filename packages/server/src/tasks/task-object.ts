import { type ObjectContext, TerminalError } from "@restatedev/restate-sdk";
import type { Context } from "../context.ts";

/**
 * What no step could do in its time is left to the row: the sweep or the watcher wakes the task again,
 * until its deadline. Trouble of our own never ends a task.
 */
export async function orLeave(
  ctx: Context,
  step: ObjectContext,
  story: (taskId: string) => Promise<void>,
): Promise<void> {
  try {
    await story(step.key);
  } catch (error) {
    if (!(error instanceof TerminalError)) throw error;
    ctx.log.error({ event: "task.left", taskId: step.key, reason: error.message });
  }
}
