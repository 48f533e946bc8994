import { type ObjectContext, object, TerminalError } from "@restatedev/restate-sdk";
import type { Context } from "../context.ts";
import { finishTask } from "../tasks/finish-task.ts";
import { type Collection, collectMedia } from "./collect-media.ts";
import { completeTask } from "./complete-task.ts";
import { lookAtJob } from "./look-at-job.ts";
import { type Submission, submitJob } from "./submit-job.ts";

const stepMsMax = 10 * 60_000;

/**
 * The durable side of a generation, one object per task. No handler outlives its steps and none keeps
 * state: a waiting task is a row. Steps run at least once, so each is safe to repeat, even at once.
 */
export function generationObject(ctx: Context) {
  /** A step is tried again for a while; then the task fails rather than hang. */
  const patience = {
    initialRetryInterval: 200,
    retryIntervalFactor: 2,
    maxRetryInterval: 10_000,
    maxRetryDuration: ctx.config.STEP_PATIENCE_MS,
  };
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
    options: {
      idempotencyRetention: 0,
      journalRetention: 0,
      abortTimeout: stepMsMax, // a vendor that answers with the result may take minutes
      retryPolicy: {
        maxAttempts: ctx.config.ENGINE_ATTEMPTS_MAX,
        initialInterval: 500,
        exponentiationFactor: 2,
        maxInterval: 2_000, // after a crash the next worker is there within seconds
        onMaxAttempts: "kill", // the row is still there: the watcher and the sweep see to it
      },
    },
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
