import type { Context } from "../context.ts";
import { findTask, takeDueLooks } from "../tasks/queries.ts";
import { countOpenPieces } from "./queries.ts";
import { upscalerAccount } from "./validate-source.ts";

const rowsMax = 100;
const lookMs = 10_000;

/** Wakes tasks whose pieces are all there, when the word of it got lost. */
export async function watchPieces(ctx: Context): Promise<void> {
  for (const { taskId } of await takeDueLooks(ctx.db, upscalerAccount, lookMs, rowsMax)) {
    if ((await countOpenPieces(ctx.db, taskId)) > 0) continue;
    const task = await findTask(ctx.db, taskId);
    if (task !== undefined) ctx.waker.wake(task.kind, "look", taskId);
  }
}
