import { recordAudit } from "../../audit/record-audit.ts";
import { ApiError } from "../../errors.ts";
import type { Actor, TaskId } from "../../ids.ts";
import type { SweepContext } from "../../tasks/context.ts";
import { finishTask } from "../../tasks/finish-task.ts";
import { findTask } from "../../tasks/queries.ts";
import { cancelJob } from "../../tasks/sweep.ts";
import { findOpenJob } from "./queries.ts";

type FailContext = Parameters<typeof finishTask>[0] & Pick<SweepContext, "vendors" | "cancels">;

/** Fails a running task: its hold is released and its callback sent, as of any task that fails. */
export async function failTask(
  ctx: FailContext,
  actor: Actor,
  taskId: TaskId,
  reason: string,
): Promise<void> {
  const job = await findOpenJob(ctx.db, taskId);
  const outcome = { kind: "failed", code: "ended_by_operator" } as const;
  const isEnded = await finishTask(ctx, taskId, outcome, (tx, ended) =>
    recordAudit(tx, actor, {
      accountId: ended.account_id,
      action: "task.fail",
      object: taskId,
      after: { status: ended.status, credits: ended.credits },
      reason,
    }),
  );
  if (isEnded && job !== undefined) cancelJob(ctx, job);
  if (isEnded) return;
  throw new ApiError(
    (await findTask(ctx.db, taskId)) === undefined ? "task_not_found" : "task_over",
  );
}
