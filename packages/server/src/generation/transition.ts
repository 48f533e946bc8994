import type { Charge } from "../batches/claim-submits.ts";
import type { JobEnd } from "../batches/save-ends.ts";
import type { Context } from "../context.ts";
import { inTransaction } from "../db/database.ts";
import type { StoredMedia, SubmitOutcome, Used } from "../db/tables/tasks.ts";
import type { FailureCode } from "../errors.ts";
import type { AccountId, TaskId } from "../ids.ts";
import { countOpenJobs, lockLimits, takeCredits } from "../routing/queries.ts";
import { abandonClaim } from "../tasks/abandon-claim.ts";
import type { OpenTask } from "../tasks/open-task-queries.ts";
import { handToUpscaler, postponePolls, postponeSubmit, saveEnds } from "../tasks/queries.ts";
import {
  bindJob,
  claimSubmit,
  claimSubmitIn,
  failSubmit,
  keepSubmit,
  recordSubmission,
  returnSubmit,
  saveDelivered,
  saveUsed,
} from "../tasks/submit-queries.ts";
import { upscalerAccount } from "../upscale/validate-source.ts";
import type { VendorAccount } from "../vendors/vendor.ts";

/** What a step has reached. */
export type StepResult =
  | { kind: "waiting" } // the row says when to continue, or the task is over
  | { kind: "delivered"; media: StoredMedia }
  | { kind: "failed"; code: FailureCode; message?: string };

export const waiting: StepResult = { kind: "waiting" };

/** Returns the end that the row of a task has on record, if any: a step that runs again returns it again. */
export function recordedEnd({ failureCode, delivered }: OpenTask): StepResult | undefined {
  if (failureCode !== null) return { kind: "failed", code: failureCode };
  return delivered === null ? undefined : { kind: "delivered", media: delivered };
}

/** The submit that a claim began. Its events change the row only as long as it is the row's submit. */
export interface Submit {
  taskId: TaskId;
  accountId: AccountId;
  startedAt: Date;
}

interface RowEvent<Data, Result = void> {
  data: Data;
  result: Result;
}

/** The events of a row, with the data and the result of each. README.md has the states they lead to. */
interface Events {
  /** No vendor account takes the task now. */
  postponed: RowEvent<{ taskId: TaskId; afterMs: number }>;
  /** A worker is about to call the vendor. */
  claimed: RowEvent<ClaimEvent, Claiming>;
  /** The claim got no response, so the vendor was not called. Returns whether the claim was made. */
  abandoned: RowEvent<{ taskId: TaskId; claimId: string }, boolean>;
  /** The vendor has proven not to have accepted, or has refused after it was at work: then it has used something. */
  returned: RowEvent<{
    submit: Submit;
    outcome: SubmitOutcome;
    detail: string;
    afterMs: number;
    used?: Used | null;
  }>;
  /** The vendor's response names the job. */
  accepted: RowEvent<{ submit: Submit; jobId: string }>;
  /** A callback or the vendor's list names the job. Returns whether it is the task's. */
  found: RowEvent<
    { taskId: TaskId; accountId: AccountId; jobId: string; submittedAt?: Date },
    boolean
  >;
  /** The vendor may have accepted. Without jobs there is nothing to find: the output is lost. */
  unanswered: RowEvent<{ submit: Submit; detail: string; hasJobs: boolean }>;
  /** The worker of a direct submit is still at work. */
  kept: RowEvent<{ submit: Submit; graceMs: number }>;
  /** The output came with the response and is stored. */
  delivered: RowEvent<{ submit: Submit; media: StoredMedia; used?: Used | null }>;
  /** The output came with the response and is no media file. */
  unusable: RowEvent<{ submit: Submit; used?: Used | null }>;
  /** Nothing is known that was not known before. */
  unchanged: RowEvent<{ taskIds: TaskId[]; afterMs: number }>;
  /** The jobs of tasks have ended. */
  ended: RowEvent<readonly JobEnd[]>;
  /** The video is stored and its segments are in the database. */
  "handed over": RowEvent<{ taskId: TaskId }>;
}

export type EventName = keyof Events;

interface ClaimEvent {
  task: Pick<OpenTask, "taskId" | "accountId" | "credits">;
  vendorAccount: VendorAccount;
  claimId: string;
  graceMs: number;
  /** Left out: nobody knows by what it is charged. */
  charge?: Charge;
}

/**
 * The moment of the submit; `taken`: another submit has the claim, the task is over, or the database is
 * behind; `full`: the vendor account has as many open jobs, or has used as many credits today, as it may.
 */
type Claiming = Date | "taken" | "full";

type Changes = {
  [Name in EventName]: (
    ctx: Context,
    data: Events[Name]["data"],
  ) => Promise<Events[Name]["result"]>;
};

const changes: Changes = {
  postponed: ({ db }, { taskId, afterMs }) => postponeSubmit(db, taskId, afterMs),

  async claimed(ctx, event) {
    const startedAt = await claimWithinLimits(ctx, event);
    const { task, vendorAccount } = event;
    const isVisible = startedAt instanceof Date && isDirect(vendorAccount);
    if (isVisible) ctx.changes.announce(task.taskId, task.accountId);
    return startedAt;
  },

  abandoned: ({ pool }, claim) => abandonClaim(pool, claim),

  returned: ({ pool }, { submit, outcome, detail, afterMs, used }) =>
    returnSubmit(pool, { ...submit, outcome, detail, againMs: afterMs, used }),

  async accepted(ctx, { submit, jobId }) {
    const { taskId, accountId, startedAt } = submit;
    const pollMs = ctx.config.tasks.pollFirstMs;
    const job = { taskId, jobId, pollMs, submittedAt: startedAt, isAnswer: true };
    if (await bindJob(ctx.pool, job)) ctx.changes.announce(taskId, accountId);
    // The job is this submit's all the same: nobody may take it for a lost one.
    else
      await recordSubmission(ctx.db, {
        taskId,
        startedAt,
        outcome: "accepted",
        vendorJobId: jobId,
      });
  },

  async found(ctx, { accountId, ...job }) {
    const isBound = await bindJob(ctx.pool, { ...job, pollMs: ctx.config.tasks.pollFirstMs });
    if (isBound) ctx.changes.announce(job.taskId, accountId);
    return isBound;
  },

  async unanswered({ db }, { submit: { taskId, startedAt }, detail, hasJobs }) {
    await recordSubmission(db, { taskId, startedAt, outcome: "unknown", detail });
    if (!hasJobs) await failSubmit(db, { taskId, startedAt, code: "vendor_unconfirmed" });
  },

  kept: ({ db }, { submit: { taskId, startedAt }, graceMs }) =>
    keepSubmit(db, { taskId, startedAt, graceMs }),

  delivered: ({ pool, config }, { submit: { taskId, startedAt }, media, used }) =>
    saveDelivered(pool, { taskId, startedAt, media, pollMs: config.tasks.pollFirstMs, used }),

  async unusable({ db, pool }, { submit: { taskId, startedAt }, used }) {
    await recordSubmission(db, { taskId, startedAt, outcome: "delivered" });
    if (used) await saveUsed(pool, { taskId, startedAt, used });
    await failSubmit(db, { taskId, startedAt, code: "output_unusable" });
  },

  unchanged: ({ db }, { taskIds, afterMs }) => postponePolls(db, taskIds, afterMs),

  ended: ({ pool }, ends) => saveEnds(pool, ends),

  "handed over": ({ db }, { taskId }) => handToUpscaler(db, taskId, upscalerAccount),
};

/**
 * Changes the row of a generation task after an event, or leaves it as it is if the event comes too late
 * or again. The only way in which a step changes the row until `finishTask` ends it: the tables in
 * README.md say what each event does in each state, and `transition.db.test.ts` compares them with this.
 */
export function transition<Name extends EventName>(
  ctx: Context,
  name: Name,
  data: Events[Name]["data"],
): Promise<Events[Name]["result"]> {
  return changes[name](ctx, data);
}

/** Whether the response to a submit is the output: then there is no job. */
export function isDirect({ vendor }: VendorAccount): boolean {
  return vendor.jobs === null;
}

class NotClaimed extends Error {}

/**
 * Claims a submit within the limits of its vendor account: counted and claimed in one transaction, one
 * after the other over all processes, so that the limits hold however many are submitted at once.
 */
async function claimWithinLimits(
  { db, pool, fence }: Context,
  { task: { taskId, credits }, vendorAccount, claimId, graceMs, charge }: ClaimEvent,
): Promise<Claiming> {
  const { name, openJobsMax, creditsPerDayMax: creditsMax } = vendorAccount;
  const claim = {
    taskId,
    vendorAccount: name,
    graceMs,
    isAtWork: isDirect(vendorAccount),
    known: await fence.known(),
    claimId,
    charge: charge ?? null,
  };
  if (openJobsMax === null && creditsMax === null)
    return (await claimSubmit(pool, claim))?.startedAt ?? "taken";
  const claiming = inTransaction(db, async (tx): Promise<Claiming> => {
    await lockLimits(tx, name);
    if (openJobsMax !== null && (await countOpenJobs(tx, name, openJobsMax)) >= openJobsMax)
      return "full";
    if (creditsMax !== null && !(await takeCredits(tx, { name, credits, creditsMax })))
      return "full";
    const claimed = await claimSubmitIn(tx, claim);
    if (claimed === undefined) throw new NotClaimed(); // undoes the credits
    return claimed.startedAt;
  });
  return claiming.catch((error) => {
    if (error instanceof NotClaimed) return "taken";
    throw error;
  });
}
