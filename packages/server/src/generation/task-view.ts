import type { ModelRequest } from "../models/request.ts";
import type { Config } from "../settings/config.ts";
import { viewOutputMedia } from "../tasks/output-media.ts";
import type { VisibleTask } from "../tasks/task-row.ts";
import { notesOf } from "./notes.ts";
import type { GenerationTask } from "./schema.ts";

/** A generation task as its owner sees it: the response of queryTask and the body of the callback. */
export function viewGenerationTask(task: VisibleTask, config: Config): GenerationTask {
  return {
    taskId: task.id,
    model: task.model,
    status: task.status,
    creditsUsed: task.status === "FAILED" ? 0 : task.credits,
    output: task.output?.map((media) => viewOutputMedia(media, config)) ?? null,
    error: task.error_message,
    errorCode: task.error_code,
    ...notesOf(task.request as Partial<ModelRequest>, task.output), // only ever written by accepting
    createTime: task.created_at.getTime(),
    completeTime: task.completed_at?.getTime() ?? null,
  };
}
