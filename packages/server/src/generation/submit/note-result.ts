import type { Context } from "../../context.ts";
import type { StoredMedia } from "../../db/tables/tasks.ts";
import type { FailureCode } from "../../errors.ts";
import type { AccountId, TaskId } from "../../ids.ts";
import { bindJob, failSubmit, recordSubmission, returnSubmit } from "../../tasks/submit-queries.ts";
import { throttleMsMax } from "../../tasks/throttle-queries.ts";
import type { SubmitResult, VendorAccount } from "../../vendors/vendor.ts";

export type Submission =
  | { kind: "settled" } // submitted, or not accepted yet: the row says when to continue
  | { kind: "delivered"; media: StoredMedia }
  | { kind: "failed"; code: FailureCode; message?: string };

/** `afterMs`: this account is not used again before. */
export type Attempt = Submission | { kind: "moves on"; isHopeless: boolean; afterMs: number };

export const settled: Submission = { kind: "settled" };
/** When to retry by default. */
export const againMs = 5_000;
/** Records the result of a submit, except an output that is still to be stored. */
export async function noteResult(
  ctx: Context,
  submit: { taskId: TaskId; accountId: AccountId; startedAt: Date; account: VendorAccount },
  result: Exclude<SubmitResult, { kind: "delivered" }>,
): Promise<Attempt> {
  const { taskId, accountId, startedAt, account } = submit;
  switch (result.kind) {
    case "accepted": {
      const { jobId } = result;
      const pollMs = ctx.config.tasks.pollFirstMs;
      const answer = { taskId, jobId, pollMs, submittedAt: startedAt, isAnswer: true };
      if (await bindJob(ctx.pool, answer)) ctx.changes.announce(taskId, accountId);
      else {
        const outcome = "accepted";
        await recordSubmission(ctx.db, { taskId, startedAt, outcome, vendorJobId: jobId });
      }
      return settled;
    }
    case "unknown": {
      const { detail } = result;
      await recordSubmission(ctx.db, { taskId, startedAt, outcome: "unknown", detail });
      if (account.vendor.jobs !== null) return settled; // the job may still be found
      // An output that came with the response is lost with it.
      await failSubmit(ctx.db, { taskId, startedAt, code: "vendor_unconfirmed" });
      return { kind: "failed", code: "vendor_unconfirmed" };
    }
    default: {
      const { kind: outcome, detail } = result;
      const requestedMs = outcome === "throttled" ? (result.retryAfterMs ?? 0) : 0;
      const afterMs = Math.max(againMs, Math.min(requestedMs, throttleMsMax));
      await returnSubmit(ctx.pool, { taskId, startedAt, againMs: afterMs, outcome, detail });
      if (outcome !== "refused") return { kind: "moves on", isHopeless: false, afterMs };
      // A failure of one account's key or balance may not affect another account. Bad input is bad everywhere.
      if (result.code === "vendor_unavailable")
        return { kind: "moves on", isHopeless: true, afterMs };
      return { kind: "failed", code: result.code };
    }
  }
}
