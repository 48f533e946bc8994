import type { Context } from "../../context.ts";
import { eachRow } from "../../flow/each-row.ts";
import { findTask, takeDuePolls } from "../../tasks/queries.ts";
import { pollLoopOf } from "../../tasks/stuck-tasks.ts";
import { continueTrace } from "../../tracing/trace-context.ts";
import { upscalerAccount } from "../validate-source.ts";
import { countOpenSegments } from "./queries.ts";

const rowsMax = 100;
const pollMs = 10_000;
const tasksAtOnceMax = 4;
const rowMsMax = 15_000;

/** Re-sends lost wake-ups of tasks whose segments are all done. */
export async function sweepSegments(ctx: Context, until?: AbortSignal): Promise<void> {
  const due = await takeDuePolls(ctx.db, upscalerAccount, pollMs, rowsMax);
  const options = {
    loop: pollLoopOf(upscalerAccount),
    keyOf: ({ taskId }: Due) => taskId,
    accountOf: ({ accountId }: Due) => accountId,
    atOnceMax: tasksAtOnceMax,
    rowMsMax,
  };
  const wake = async ({ taskId, traceparent }: Due) => {
    if ((await countOpenSegments(ctx.db, taskId)) > 0) return;
    const task = await findTask(ctx.db, taskId);
    if (task === undefined) return;
    continueTrace(traceparent, () => ctx.waker.wake(task.kind, "poll", taskId));
    ctx.metrics.wakeUpsRepeated.add({ kind: task.kind });
  };
  await eachRow(ctx, due, options, wake, until);
}

type Due = Awaited<ReturnType<typeof takeDuePolls>>[number];
