import { type ObjectContext, object } from "@restatedev/restate-sdk";
import { objectOptionsOf, retryPolicyOf } from "../engine/durable.ts";
import { serviceName } from "../engine/service-name.ts";
import { completeTask } from "../tasks/complete-task.ts";
import { finishTask } from "../tasks/finish-task.ts";
import { runTaskHandler } from "../tasks/task-object.ts";
import type { UpscaleContext } from "./context.ts";
import { forgetUpscale } from "./forget-upscale.ts";
import { joinVideo } from "./segments/join-video.ts";
import { validateSource } from "./validate-source.ts";

/** The durable side of an upscale, one object per task. Workers pull its segments. */
export function upscaleObject(ctx: UpscaleContext) {
  const retryPolicy = retryPolicyOf(ctx.config);
  return object({
    name: serviceName("upscale", ctx.config.database.shard),
    handlers: {
      /** Woken by upscale/create or the sweep. */
      submit: (step: ObjectContext) =>
        runTaskHandler(ctx, step, async (taskId) => {
          const source = await step.run(
            "validate source",
            () => validateSource(ctx, taskId),
            retryPolicy,
          );
          if (source.kind === "failed")
            await step.run("finish task", () => finishTask(ctx, taskId, source), retryPolicy);
        }),

      /** Woken by the last segment or the sweep of segments. */
      poll: (step: ObjectContext) =>
        runTaskHandler(ctx, step, async (taskId) => {
          const joined = await step.run("join video", () => joinVideo(ctx, taskId), retryPolicy);
          if (joined.kind === "waiting" || joined.kind === "over") return;
          if (joined.kind === "delivered")
            await step.run(
              "complete task",
              () => completeTask(ctx, taskId, joined.media),
              retryPolicy,
            );
          else await step.run("finish task", () => finishTask(ctx, taskId, joined), retryPolicy);
          await step.run("forget segments", () => forgetUpscale(ctx, taskId), retryPolicy);
        }),
    },
    options: objectOptionsOf(ctx.config),
  });
}
