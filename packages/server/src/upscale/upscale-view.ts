import type { Config } from "../settings/config.ts";
import { viewOutputMedia } from "../tasks/output-media.ts";
import type { VisibleTask } from "../tasks/task-row.ts";
import type { UpscaleRequest, UpscaleTask } from "./schema.ts";

const statusOf = {
  PENDING: "validating",
  PROCESSING: "processing",
  COMPLETED: "completed",
  FAILED: "failed",
} as const;

/** The maximum percentage of an open task: it is not done before the last segment is joined and stored. */
const percentWhileOpen = 99;

/** An upscale as its owner sees it: the response of upscale/query and the body of the callback. */
export function viewUpscaleTask(task: VisibleTask, config: Config, shareDone = 0): UpscaleTask {
  const { target } = task.request as UpscaleRequest; // only ever written by accepting
  const isCompleted = task.status === "COMPLETED";
  return {
    taskId: task.id,
    status: statusOf[task.status],
    targetResolution: target,
    progress: isCompleted ? 100 : Math.floor(percentWhileOpen * shareDone),
    creditsConsumed: isCompleted ? task.credits : null,
    result: resultOf(task, config),
    error:
      task.error_code === null || task.error_message === null
        ? null
        : { code: task.error_code, message: task.error_message },
    createdAt: task.created_at.toISOString(),
    finishedAt: task.completed_at?.toISOString() ?? null,
  };
}

function resultOf({ output }: VisibleTask, config: Config): UpscaleTask["result"] {
  const [media] = output ?? [];
  if (media?.source === undefined) return null;
  return {
    ...viewOutputMedia(media, config),
    probedDurationSeconds: media.source.durationMs / 1000,
    probedSourceResolution: `${media.source.width}x${media.source.height}`,
  };
}
