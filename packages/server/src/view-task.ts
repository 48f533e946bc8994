import type { Config } from "./config.ts";
import { viewGenerationTask } from "./generation/task-view.ts";
import type { VisibleTask } from "./tasks/task-row.ts";
import { viewUpscaleTask } from "./upscale/upscale-view.ts";

/** A task of either kind as its owner sees it. */
export function viewTask(
  task: VisibleTask,
  config: Config,
  shareDone = 0,
): Record<string, unknown> {
  return task.kind === "upscale"
    ? viewUpscaleTask(task, config, shareDone)
    : viewGenerationTask(task, config);
}
