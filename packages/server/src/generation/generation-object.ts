import { type ObjectContext, object } from "@restatedev/restate-sdk";
import { objectOptionsOf, retryPolicyOf } from "../engine/durable.ts";
import type { TaskId } from "../ids.ts";
import { completeTask } from "../tasks/complete-task.ts";
import { finishTask } from "../tasks/finish-task.ts";
import { runTaskHandler } from "../tasks/task-object.ts";
import { forgetUpscale } from "../upscale/forget-upscale.ts";
import { type Joining, joinVideo } from "../upscale/segments/join-video.ts";
import { type Collection, collectMedia } from "./collect-media.ts";
import type { GenerationContext } from "./context.ts";
import { type PollOutcome, pollJob } from "./poll/poll-job.ts";
import type { Submission } from "./submit/note-result.ts";
import { submitJob } from "./submit/submit-job.ts";

/**
 * The durable side of a generation, one object per task. No handler outlives its steps and none keeps
 * state: a waiting task is a row. Steps run at least once, so each is safe to repeat, even at once.
 */
export function generationObject(ctx: GenerationContext) {
  const retryPolicy = retryPolicyOf(ctx.config);
  return object({
    name: "generation",
    handlers: {
      /** Woken by createTask or the sweep. */
      submit: (step: ObjectContext) =>
        runTaskHandler(ctx, step, async (taskId) => {
          const submitted = await step.run("submit job", () => submitJob(ctx, taskId), retryPolicy);
          await end(step, taskId, submitted);
        }),

      /** Woken by the vendor's callback or the poller. */
      poll: (step: ObjectContext) =>
        runTaskHandler(ctx, step, async (taskId) => {
          const seen = await step.run("poll job", () => pollJob(ctx, taskId), retryPolicy);
          switch (seen.kind) {
            case "waiting":
              return;
            case "failed":
            case "delivered":
              return end(step, taskId, seen);
            case "upscaling": {
              const joined = await step.run(
                "join video",
                () => joinVideo(ctx, taskId),
                retryPolicy,
              );
              await end(step, taskId, joined);
              if (joined.kind === "waiting") return;
              await step.run("forget segments", () => forgetUpscale(ctx, taskId), retryPolicy);
              return;
            }
            case "succeeded": {
              const got = await step.run(
                "collect media",
                () => collectMedia(ctx, taskId),
                retryPolicy,
              );
              return end(step, taskId, got);
            }
          }
        }),
    },
    options: objectOptionsOf(ctx.config),
  });

  /** Ends the task if there is a reason to. */
  async function end(
    step: ObjectContext,
    taskId: TaskId,
    reached: Submission | Collection | Joining | PollOutcome,
  ): Promise<void> {
    switch (reached.kind) {
      case "delivered":
        await step.run(
          "complete task",
          () => completeTask(ctx, taskId, reached.media),
          retryPolicy,
        );
        break;
      case "failed":
        await step.run("finish task", () => finishTask(ctx, taskId, reached), retryPolicy);
        break;
    }
  }
}
