import { viewGenerationTask } from "../generation/task-view.ts";
import type { Config } from "../settings/config.ts";
import type { VisibleTask } from "../tasks/task-row.ts";
import { viewUpscaleTask } from "../upscale/upscale-view.ts";
import type { ListedTask } from "./schema.ts";

/**
 * Returns a task of either kind for a list: the response of its query, and the fields that identify its
 * kind.
 */
export function viewListedTask(
  task: VisibleTask & { shareDone: number | null },
  config: Config,
  isTest: boolean,
): ListedTask {
  const listed = {
    mode: isTest ? ("test" as const) : ("live" as const),
    credits: task.status === "FAILED" ? 0 : task.credits,
    keyId: task.key_id,
  };
  return task.kind === "generation"
    ? { kind: "generation", ...listed, ...viewGenerationTask(task, config) }
    : {
        kind: "upscale",
        model: task.model,
        ...listed,
        ...viewUpscaleTask(task, config, task.shareDone ?? 0),
      };
}
