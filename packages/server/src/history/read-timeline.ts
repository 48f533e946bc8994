import type { Caller } from "../accounts/queries.ts";
import type { Context } from "../context.ts";
import { ApiError } from "../errors.ts";
import { parseId, type TaskId } from "../ids.ts";
import { findTimelineTask, listTimelineAttempts } from "./timeline-queries.ts";
import type { Timeline, TimelineEntry } from "./timeline-schema.ts";
import { attemptsOf, timelineOf } from "./timeline-view.ts";

/** An operator reads every task, with vendors' names and texts; a caller reads his own, without. */
type Reader = { forOperator: true } | { forOperator: false; caller: Caller };

/** Returns the timeline of a task of either kind, divided into waiting and working. */
export async function readTimeline(ctx: Context, id: string, reader: Reader): Promise<Timeline> {
  const taskId = parseId<TaskId>(id);
  const task = taskId && (await findTimelineTask(ctx.db, taskId));
  if (task === undefined) throw new ApiError("task_not_found");
  if (!reader.forOperator && task.accountId !== reader.caller.id)
    throw new ApiError("access_denied");
  const course = timelineOf(task, reader.forOperator);
  const attempts = attemptsOf(await listTimelineAttempts(ctx.db, task.id));
  return {
    taskId: task.id,
    kind: task.kind,
    waitingMs: sumOf(course, "waiting"),
    workingMs: sumOf(course, "working"),
    entries: [...course.filter(isShown), ...attempts.filter(isShown)],
  };
}

/** Whether an entry is shown. An entry without duration is not. */
function isShown({ state, from, to }: TimelineEntry): boolean {
  return state === "working" || to === null || to > from;
}

function sumOf(entries: readonly TimelineEntry[], state: TimelineEntry["state"]): number {
  const now = Date.now();
  return entries
    .filter((entry) => entry.state === state)
    .reduce((sum, { from, to }) => sum + Math.max(0, (to ?? now) - from), 0);
}
