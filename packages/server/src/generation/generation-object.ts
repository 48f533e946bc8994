import { type ObjectContext, object, TerminalError } from "@restatedev/restate-sdk";
import type { Context } from "../context.ts";
import { objectOptionsOf, patienceOf } from "../durable.ts";
import { finishTask } from "../tasks/finish-task.ts";
import { type Collection, collectMedia } from "./collect-media.ts";
import { completeTask } from "./complete-task.ts";
import { lookAtJob } from "./look-at-job.ts";
import { type Submission, submitJob } from "./submit-job.ts";

/**
 * The durable side of a generation, one object per task. No handler outlives its steps and none keeps
 * state: a waiting task is a row. Steps run at least once, so each is safe to repeat, even at once.
 */
export function generationObject(ctx: Context) {
  const patience = patienceOf(ctx.config);
  return object({
    name: "generation",
    handlers: {
      /** Caused by createTask or by the sweep. */
      begin: (step: ObjectContext) =>
        orFail(step, async (taskId) => {
          const submitted = await step.run("submit job", () => submitJob(ctx, taskId), patience);
          await end(step, taskId, submitted);
        }),

      /** Caused by the vendor's callback or by the watcher. */
      look: (step: ObjectContext) =>
        orFail(step, async (taskId) => {
          const seen = await step.run("look at job", () => lookAtJob(ctx, taskId), patience);
          if (seen.kind === "waiting") return;
          const got =
            seen.kind === "failed"
              ? seen
              : await step.run("collect media", () => collectMedia(ctx, taskId), patience);
          await end(step, taskId, got);
        }),
    },
    options: objectOptionsOf(ctx.config),
  });

  /** Ends the task if there is a reason to. */
  async function end(
    step: ObjectContext,
    taskId: string,
    reached: Submission | Collection,
  ): Promise<void> {
    switch (reached.kind) {
      case "delivered":
        await step.run("complete task", () => completeTask(ctx, taskId, reached.media), patience);
        break;
      case "failed":
        await step.run("finish task", () => finishTask(ctx, taskId, reached), patience);
        break;
    }
  }

  /** The one exit for what no step could do: the task fails and its hold is given back. */
  async function orFail(
    step: ObjectContext,
    story: (taskId: string) => Promise<void>,
  ): Promise<void> {
    try {
      await story(step.key);
    } catch (error) {
      if (!(error instanceof TerminalError)) throw error;
      ctx.log.error({ event: "task.broken", taskId: step.key, reason: error.message });
      const outcome = { kind: "failed", code: "task_broken" } as const;
      await step.run("fail task", () => finishTask(ctx, step.key, outcome), patience);
    }
  }
}
