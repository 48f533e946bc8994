import type { Context } from "../context.ts";
import { eachRow } from "../db/each-row.ts";
import { findTask, takeDueLooks } from "../tasks/queries.ts";
import { watchLoopOf } from "../tasks/stuck-tasks.ts";
import { countOpenPieces } from "./queries.ts";
import { upscalerAccount } from "./validate-source.ts";

const rowsMax = 100;
const lookMs = 10_000;
const tasksAtOnceMax = 4;
const lookMsMax = 15_000;

/** Wakes tasks whose pieces are all there, when the word of it got lost. */
export async function watchPieces(ctx: Context, until?: AbortSignal): Promise<void> {
  const due = await takeDueLooks(ctx.db, upscalerAccount, lookMs, rowsMax);
  const how = {
    loop: watchLoopOf(upscalerAccount),
    keyOf: ({ taskId }: Due) => taskId,
    accountOf: ({ accountId }: Due) => accountId,
    atOnceMax: tasksAtOnceMax,
    rowMsMax: lookMsMax,
  };
  const look = async ({ taskId }: Due) => {
    if ((await countOpenPieces(ctx.db, taskId)) > 0) return;
    const task = await findTask(ctx.db, taskId);
    if (task !== undefined) ctx.waker.wake(task.kind, "look", taskId);
  };
  await eachRow(ctx, due, how, look, until);
}

type Due = Awaited<ReturnType<typeof takeDueLooks>>[number];
