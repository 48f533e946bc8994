import { type ObjectContext, TerminalError } from "@restatedev/restate-sdk";
import type { Context } from "../context.ts";
import { patienceOf } from "../durable.ts";
import { finishTask } from "./finish-task.ts";

/** The one exit for what no step could do: the task fails and its hold is given back. */
export async function orFail(
  ctx: Context,
  step: ObjectContext,
  story: (taskId: string) => Promise<void>,
): Promise<void> {
  try {
    await story(step.key);
  } catch (error) {
    if (!(error instanceof TerminalError)) throw error;
    ctx.log.error({ event: "task.broken", taskId: step.key, reason: error.message });
    const outcome = { kind: "failed", code: "task_broken" } as const;
    await step.run("fail task", () => finishTask(ctx, step.key, outcome), patienceOf(ctx.config));
  }
}
