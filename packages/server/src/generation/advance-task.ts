import type { TaskId } from "../ids.ts";
import { completeTask } from "../tasks/complete-task.ts";
import { finishTask } from "../tasks/finish-task.ts";
import { forgetUpscale } from "../upscale/forget-upscale.ts";
import { type Joining, joinVideo } from "../upscale/segments/join-video.ts";
import { type Collection, collectMedia } from "./collect-media.ts";
import type { GenerationContext } from "./context.ts";
import { type PollOutcome, pollJob } from "./poll/poll-job.ts";
import type { Submission } from "./submit/note-result.ts";
import { submitJob } from "./submit/submit-job.ts";

/**
 * Runs one step of a task's work. Each step is safe to repeat, even at once. `until` aborts when nobody
 * waits for the step any more: the engine has begun another attempt, or will.
 */
export type RunStep = <Value>(
  name: string,
  step: (until?: AbortSignal) => Promise<Value>,
) => Promise<Value>;

/** Whether something may take minutes. What does is not begun: `false` is the answer. */
export interface Patience {
  mayTakeLong: boolean;
}

/** Submits a task that was created. Returns whether there is nothing left to do now. */
export async function submitTask(
  ctx: GenerationContext,
  taskId: TaskId,
  run: RunStep,
  { mayTakeLong }: Patience,
): Promise<boolean> {
  const submitted = await run("submit job", () => submitJob(ctx, taskId, { mayTakeLong }));
  if (submitted.kind === "takes long") return false;
  await end(ctx, taskId, run, submitted);
  return true;
}

/** Looks after a task that was submitted. Returns whether there is nothing left to do now. */
export async function pollTask(
  ctx: GenerationContext,
  taskId: TaskId,
  run: RunStep,
  { mayTakeLong }: Patience,
): Promise<boolean> {
  const seen = await run("poll job", () => pollJob(ctx, taskId));
  switch (seen.kind) {
    case "waiting":
      return true;
    case "failed":
    case "delivered":
      await end(ctx, taskId, run, seen);
      return true;
    case "upscaling": {
      if (!mayTakeLong) return false;
      const joined = await run("join video", () => joinVideo(ctx, taskId));
      await end(ctx, taskId, run, joined);
      if (joined.kind !== "waiting") await run("forget segments", () => forgetUpscale(ctx, taskId));
      return true;
    }
    case "succeeded":
      if (!mayTakeLong) return false;
      await end(
        ctx,
        taskId,
        run,
        await run("collect media", (until) => collectMedia(ctx, taskId, until)),
      );
      return true;
  }
}

/** Ends the task if there is a reason to. */
async function end(
  ctx: GenerationContext,
  taskId: TaskId,
  run: RunStep,
  reached: Submission | Collection | Joining | PollOutcome,
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
