import type { Context } from "../context.ts";
import { capture, release } from "../credits/ledger.ts";
import { inTransaction } from "../db/database.ts";
import type { StoredMedia } from "../db/schema.ts";
import { errorCatalogue, type FailureCode } from "../errors.ts";
import { queueDelivery } from "../webhooks/queue-delivery.ts";
import { markTerminal } from "./queries.ts";

export type Outcome =
  | { kind: "completed"; output: StoredMedia[] }
  | { kind: "failed"; code: FailureCode };

/**
 * The only place where a task becomes terminal: its status, its credits and its callback change in
 * one transaction. Whoever comes second finds nothing to do. Says whether this call was the one.
 */
export async function finishTask(ctx: Context, taskId: string, outcome: Outcome): Promise<boolean> {
  const task = await inTransaction(ctx.db, async (tx) => {
    const ended = await markTerminal(tx, taskId, endOf(outcome));
    if (ended === undefined) return undefined;
    const settlement = { accountId: ended.account_id, taskId, credits: ended.credits };
    if (outcome.kind === "completed") await capture(tx, settlement);
    else await release(tx, settlement);
    if (ended.callback_url !== null)
      await queueDelivery(tx, {
        accountId: ended.account_id,
        taskId,
        url: ended.callback_url,
        body: JSON.stringify(ctx.viewTask(ended, ctx.config)),
      });
    return ended;
  });
  if (task === undefined) return false;
  if (task.callback_url !== null) ctx.deliveryBell.ring();
  ctx.log.info({
    event: "task.finished",
    taskId,
    accountId: task.account_id,
    status: task.status,
    errorCode: task.error_code,
    credits: task.credits,
  });
  return true;
}

function endOf(outcome: Outcome): Parameters<typeof markTerminal>[2] {
  if (outcome.kind === "completed") return { status: "COMPLETED", output: outcome.output };
  const { sentence } = errorCatalogue[outcome.code];
  return { status: "FAILED", errorCode: outcome.code, errorMessage: sentence };
}
