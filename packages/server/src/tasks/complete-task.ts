import type { StoredMedia } from "../db/tables/tasks.ts";
import type { TaskId } from "../ids.ts";
import { dropObject, keepOutput } from "../media/storage/objects.ts";
import type { TasksContext } from "./context.ts";
import { finishTask } from "./finish-task.ts";
import { keysOfOutput } from "./output-media.ts";
import { findTask } from "./queries.ts";

const dayMs = 24 * 60 * 60 * 1000;

/** Completes a task with its video; if another run was first, this video is deleted. */
export async function completeTask(
  ctx: TasksContext,
  taskId: TaskId,
  media: StoredMedia,
): Promise<void> {
  const keptMs = ctx.config.retention.mediaDays * dayMs;
  await keepOutput(ctx.db, taskId, media, keptMs); // kept before finishing: a paid video is never collected
  const output = [{ ...media, expiresAt: Date.now() + keptMs }];
  if (await finishTask(ctx, taskId, { kind: "completed", output })) return;
  const task = await findTask(ctx.db, taskId);
  const isOurs = task?.output?.some((stored) => stored.key === media.key) ?? false;
  if (!isOurs) for (const key of keysOfOutput([media])) await dropObject(ctx, key);
}
