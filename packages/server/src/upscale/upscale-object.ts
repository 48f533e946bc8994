import { type ObjectContext, object } from "@restatedev/restate-sdk";
import { objectOptionsOf, patienceOf } from "../engine/durable.ts";
import { completeTask } from "../tasks/complete-task.ts";
import { finishTask } from "../tasks/finish-task.ts";
import { orLeave } from "../tasks/task-object.ts";
import type { UpscaleContext } from "./context.ts";
import { forgetUpscale } from "./forget-upscale.ts";
import { joinVideo } from "./segments/join-video.ts";
import { validateSource } from "./validate-source.ts";

/** The durable side of an upscale, one object per task. Its segments are pulled by whoever is free. */
export function upscaleObject(ctx: UpscaleContext) {
  const patience = patienceOf(ctx.config);
  return object({
    name: "upscale",
    handlers: {
      /** Caused by upscale/create or by the sweep. */
      begin: (step: ObjectContext) =>
        orLeave(ctx, step, async (taskId) => {
          const source = await step.run(
            "validate source",
            () => validateSource(ctx, taskId),
            patience,
          );
          if (source.kind === "failed")
            await step.run("finish task", () => finishTask(ctx, taskId, source), patience);
        }),

      /** Caused by the last segment or by the watcher. */
      look: (step: ObjectContext) =>
        orLeave(ctx, step, async (taskId) => {
          const joined = await step.run("join video", () => joinVideo(ctx, taskId), patience);
          if (joined.kind === "waiting" || joined.kind === "over") return;
          if (joined.kind === "delivered")
            await step.run(
              "complete task",
              () => completeTask(ctx, taskId, joined.media),
              patience,
            );
          else await step.run("finish task", () => finishTask(ctx, taskId, joined), patience);
          await step.run("forget segments", () => forgetUpscale(ctx, taskId), patience);
        }),
    },
    options: objectOptionsOf(ctx.config),
  });
}
