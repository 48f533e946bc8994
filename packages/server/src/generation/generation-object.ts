import { type ObjectContext, object } from "@restatedev/restate-sdk";
import { objectOptionsOf, patienceOf } from "../engine/durable.ts";
import { completeTask } from "../tasks/complete-task.ts";
import { finishTask } from "../tasks/finish-task.ts";
import { orLeave } from "../tasks/task-object.ts";
import { forgetUpscale } from "../upscale/forget-upscale.ts";
import { type Joining, joinVideo } from "../upscale/segments/join-video.ts";
import { type Collection, collectMedia } from "./collect-media.ts";
import type { GenerationContext } from "./context.ts";
import { type Look, pollJob } from "./poll/poll-job.ts";
import type { Submission } from "./submit/note-result.ts";
import { submitJob } from "./submit/submit-job.ts";

/**
 * The durable side of a generation, one object per task. No handler outlives its steps and none keeps
 * state: a waiting task is a row. Steps run at least once, so each is safe to repeat, even at once.
 */
export function generationObject(ctx: GenerationContext) {
  const patience = patienceOf(ctx.config);
  return object({
    name: "generation",
    handlers: {
      /** Caused by createTask or by the sweep. */
      begin: (step: ObjectContext) =>
        orLeave(ctx, step, async (taskId) => {
          const submitted = await step.run("submit job", () => submitJob(ctx, taskId), patience);
          await end(step, taskId, submitted);
        }),

      /** Caused by the vendor's callback or by a watcher. */
      look: (step: ObjectContext) =>
        orLeave(ctx, step, async (taskId) => {
          const seen = await step.run("look at job", () => pollJob(ctx, taskId), patience);
          switch (seen.kind) {
            case "waiting":
              return;
            case "failed":
            case "delivered":
              return end(step, taskId, seen);
            case "upscaling": {
              const joined = await step.run("join video", () => joinVideo(ctx, taskId), patience);
              await end(step, taskId, joined);
              if (joined.kind === "waiting") return;
              await step.run("forget segments", () => forgetUpscale(ctx, taskId), patience);
              return;
            }
            case "succeeded": {
              const got = await step.run(
                "collect media",
                () => collectMedia(ctx, taskId),
                patience,
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
    taskId: string,
    reached: Submission | Collection | Joining | Look,
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
}
