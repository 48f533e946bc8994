import type { Caller } from "../accounts/queries.ts";
import type { Context } from "../context.ts";
import type { StoredMedia } from "../db/tables/tasks.ts";
import { ApiError } from "../errors.ts";
import { parseId, type TaskId } from "../ids.ts";
import { dropObject } from "../media/storage/objects.ts";
import { keysOfOutput } from "../tasks/output-media.ts";
import { findTask } from "../tasks/queries.ts";

/** Deletes the media of an ended task: its links stop working, its record stays. */
export async function deleteMedia(
  ctx: Context,
  caller: Caller,
  id: string,
): Promise<{ deleted: number }> {
  const taskId = parseId<TaskId>(id);
  const task = taskId && (await findTask(ctx.db, taskId));
  if (task === undefined) throw new ApiError("task_not_found");
  if (task.account_id !== caller.id) throw new ApiError("access_denied");
  if (task.completed_at === null) throw new ApiError("task_not_over");
  const files = [...(task.output ?? []), ...(task.inputs ?? [])];
  const inputKeys = (task.inputs ?? []).map(({ key }) => key);
  if (task.output !== null) await endLinks(ctx, task.id, task.output);
  for (const key of [...keysOfOutput(task.output), ...inputKeys]) await dropObject(ctx, key);
  return { deleted: files.length }; // a poster belongs to its file
}

/** The record tells since when the links are dead. */
async function endLinks({ db }: Context, taskId: TaskId, output: StoredMedia[]): Promise<void> {
  const now = Date.now();
  const ended = output.map((media) => ({
    ...media,
    expiresAt: Math.min(media.expiresAt ?? now, now),
  }));
  await db
    .updateTable("tasks")
    .set({ output: JSON.stringify(ended) })
    .where("id", "=", taskId)
    .execute();
}
