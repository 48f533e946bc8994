import type { Context } from "../../context.ts";
import { eachRow } from "../../db/each-row.ts";
import { findTask, takeDuePolls } from "../../tasks/queries.ts";
import { pollLoopOf } from "../../tasks/stuck-tasks.ts";
import { upscalerAccount } from "../validate-source.ts";
import { countOpenSegments } from "./queries.ts";

const rowsMax = 100;
const pollMs = 10_000;
const tasksAtOnceMax = 4;
const lookMsMax = 15_000;

/** Wakes tasks whose segments are all there, when the word of it got lost. */
export async function watchSegments(ctx: Context, until?: AbortSignal): Promise<void> {
  const due = await takeDuePolls(ctx.db, upscalerAccount, pollMs, rowsMax);
  const how = {
    loop: pollLoopOf(upscalerAccount),
    keyOf: ({ taskId }: Due) => taskId,
    accountOf: ({ accountId }: Due) => accountId,
    atOnceMax: tasksAtOnceMax,
    rowMsMax: lookMsMax,
  };
  const look = async ({ taskId }: Due) => {
    if ((await countOpenSegments(ctx.db, taskId)) > 0) return;
    const task = await findTask(ctx.db, taskId);
    if (task !== undefined) ctx.waker.wake(task.kind, "look", taskId);
  };
  await eachRow(ctx, due, how, look, until);
}

type Due = Awaited<ReturnType<typeof takeDuePolls>>[number];
