import type { Context } from "../context.ts";
import type { StoredMedia } from "../db/schema.ts";
import { finishTask } from "../tasks/finish-task.ts";
import { findTask } from "../tasks/queries.ts";

/** Finishes a task with its film; when somebody else was first, the film that lost is removed again. */
export async function completeTask(
  ctx: Context,
  taskId: string,
  media: StoredMedia,
): Promise<void> {
  if (await finishTask(ctx, taskId, { kind: "completed", output: [media] })) return;
  const task = await findTask(ctx.db, taskId);
  const isOurs = task?.output?.some((stored) => stored.key === media.key) ?? false;
  if (!isOurs) await ctx.storage.remove(media.key);
}
