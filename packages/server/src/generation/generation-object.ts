import { type ObjectContext, object } from "@restatedev/restate-sdk";
import { objectOptionsOf, retryPolicyOf } from "../engine/durable.ts";
import { serviceName } from "../engine/service-name.ts";
import type { TaskId } from "../ids.ts";
import { completeTask } from "../tasks/complete-task.ts";
import { finishTask } from "../tasks/finish-task.ts";
import { runTaskHandler } from "../tasks/task-object.ts";
import { forgetUpscale } from "../upscale/forget-upscale.ts";
import { type Joining, joinVideo } from "../upscale/segments/join-video.ts";
import { collectMedia } from "./collect-media.ts";
import type { GenerationContext } from "./context.ts";
import { type PollOutcome, pollJob } from "./poll/poll-job.ts";
import { submitJob } from "./submit/submit-job.ts";
import type { StepResult } from "./transition.ts";

/**
 * Runs one step. Each step is safe to repeat, even at once. `until` aborts when nobody waits for the
 * step any more: the engine has begun another attempt, or will.
 */
type RunStep = <Value>(
  name: string,
  step: (until: AbortSignal) => Promise<Value>,
) => Promise<Value>;

/**
 * The durable side of a generation, one object per task. No handler outlives its steps and none keeps
 * state: a waiting task is a row.
 */
export function generationObject(ctx: GenerationContext) {
  const handle = (advance: typeof submitTask) => (engine: ObjectContext) =>
    runTaskHandler(ctx, engine, (taskId) => advance(ctx, taskId, stepsOf(engine)));
  const retryPolicy = retryPolicyOf(ctx.config);
  const stepsOf = (engine: ObjectContext): RunStep => {
    const { attemptCompletedSignal } = engine.request();
    return (name, step) => engine.run(name, () => step(attemptCompletedSignal), retryPolicy);
  };
  return object({
    name: serviceName("generation", ctx.config.database.shard),
    handlers: {
      /** Woken by createTask or the sweep. */
      submit: handle(submitTask),
      /** Woken by the vendor's callback or the poller. */
      poll: handle(pollTask),
    },
    options: objectOptionsOf(ctx.config),
  });
}

/** Submits a task that was created. */
async function submitTask(ctx: GenerationContext, taskId: TaskId, run: RunStep): Promise<void> {
  await end(ctx, taskId, run, await run("submit job", () => submitJob(ctx, taskId)));
}

/** Polls a task that was submitted, and brings to an end what is over. */
async function pollTask(ctx: GenerationContext, taskId: TaskId, run: RunStep): Promise<void> {
  const seen = await run("poll job", () => pollJob(ctx, taskId));
  switch (seen.kind) {
    case "waiting":
      return;
    case "failed":
    case "delivered":
      return end(ctx, taskId, run, seen);
    case "upscaling": {
      const joined = await run("join video", () => joinVideo(ctx, taskId));
      await end(ctx, taskId, run, joined);
      if (joined.kind !== "waiting") await run("forget segments", () => forgetUpscale(ctx, taskId));
      return;
    }
    case "succeeded": {
      const collected = await run("collect media", (until) => collectMedia(ctx, taskId, until));
      return end(ctx, taskId, run, collected);
    }
  }
}

/** Ends the task if there is a reason to. */
async function end(
  ctx: GenerationContext,
  taskId: TaskId,
  run: RunStep,
  reached: StepResult | Joining | PollOutcome,
): Promise<void> {
  switch (reached.kind) {
    case "delivered":
      await run("complete task", () => completeTask(ctx, taskId, reached.media));
      break;
    case "failed":
      await run("finish task", () => finishTask(ctx, taskId, reached));
      break;
  }
}
