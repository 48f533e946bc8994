import type { Charge } from "../../batches/claim-submits.ts";
import { endUserOf } from "../../generation/submit/call-vendor.ts";
import { costFactsOf } from "../../prices/cost-facts.ts";
import { routeOf } from "../../routing/vendor-accounts-setting.ts";
import {
  claimedDetail,
  dropClaim,
  listAccountIds,
  listTakenSince,
  listUnexplained,
} from "../../tasks/reconcile-queries.ts";
import { bindJob, claimSubmit, recordSubmission } from "../../tasks/submit-queries.ts";
import type { VendorAccount } from "../../vendors/vendor.ts";
import type { Difference, ReconcileContext } from "./difference.ts";
import {
  type FreeJob,
  type Matches,
  matchJobs,
  sharedVendorAccount,
  type Unexplained,
} from "./match-jobs.ts";

/** Jobs are listed from this long before the point: clocks differ, and a submit takes a while. */
const marginMs = 2 * 60_000;
/** Older jobs are over, and vendors no longer list them. */
const listedMsMax = 7 * 24 * 60 * 60_000;
const accountsMax = 1_000;

const unknownAction =
  "never submit it again: unless the vendor's callback names it, it fails without a charge";

/** A task that may have been sent to a vendor that cannot list its jobs. */
type Unlisted = { task: Unexplained; vendorAccounts: string[] };

/**
 * Compares the jobs that vendors list with the rows. A task that a vendor may have been paid for since
 * the point is connected with its job, or ended without a charge; it is never submitted again.
 */
export async function compareVendors(ctx: ReconcileContext, point: Date): Promise<Difference[]> {
  const since = new Date(Math.max(point.getTime() - marginMs, Date.now() - listedMsMax));
  const { listed, unlisted } = await sortTasks(ctx);
  const { jobs, differences } = await listFree(ctx, since);
  const { isOfOurs, accountOf } = await readEndUsers(ctx, jobs);
  const matches = matchJobs(listed, jobs, point);
  return [
    ...differences,
    ...describeMatches(ctx, matches),
    ...matches.orphans.map((job) => orphan(ctx, job, isOfOurs(job), accountOf(job))),
    ...unlisted.filter(isUnclaimed).map((one) => unconfirmed(ctx, one)),
  ];
}

/** The jobs that no row names, each once. */
async function listFree({ db, vendors }: ReconcileContext, since: Date) {
  const taken = await listTakenSince(db, since);
  const jobs = new Map<string, FreeJob>();
  const differences: Difference[] = [];
  for (const { name, vendor } of vendors.values()) {
    if (vendor.jobs === null) continue;
    const seen = await vendor.jobs.listSince(since, taken);
    if (seen === "unavailable") differences.push(unavailable(name));
    else
      for (const job of seen) {
        const others = jobs.get(job.jobId)?.vendorAccounts ?? [];
        jobs.set(job.jobId, { ...job, vendorAccounts: [...others, name] });
      }
  }
  return { jobs: [...jobs.values()], differences };
}

/**
 * Returns the tasks whose jobs can be looked up, and those that were perhaps sent to a vendor that lists
 * nothing.
 */
async function sortTasks(
  ctx: ReconcileContext,
): Promise<{ listed: Unexplained[]; unlisted: Unlisted[] }> {
  const listed: Unexplained[] = [];
  const unlisted: Unlisted[] = [];
  for (const { kind, model, isTest, vendorAccount, ...row } of await listUnexplained(ctx.db)) {
    if (kind === "upscale") continue; // see compare-upscales.ts
    const route = routeOf(ctx.vendors, { model, isTest }).map(({ name }) => name);
    const submitStartedAt = row.isClaimed ? null : row.submitStartedAt;
    const vendorAccounts = submitStartedAt === null ? route : [vendorAccount];
    const endUser = endUserOf(row.accountId);
    const task = { ...row, submitStartedAt, endUser, vendorAccounts };
    const silent = vendorAccounts.filter((name) => ctx.vendors.get(name)?.vendor.jobs === null);
    if (silent.length > 0) unlisted.push({ task, vendorAccounts: silent });
    else listed.push(task);
  }
  return { listed, unlisted };
}

/** Returns a lookup from jobs to accounts: a vendor account may serve others than this deployment. */
async function readEndUsers({ db }: ReconcileContext, jobs: readonly FreeJob[]) {
  const wanted = new Set(jobs.flatMap(({ endUser }) => endUser ?? []));
  const accounts = new Map<string, string>();
  let page = wanted.size === 0 ? [] : await listAccountIds(db, null, accountsMax);
  while (page.length > 0) {
    for (const id of page) if (wanted.has(endUserOf(id))) accounts.set(endUserOf(id), id);
    const last = page.at(-1);
    page = last === undefined ? [] : await listAccountIds(db, last, accountsMax);
  }
  const accountOf = ({ endUser }: FreeJob) => accounts.get(endUser ?? "") ?? null;
  return { accountOf, isOfOurs: (job: FreeJob) => accountOf(job) !== null };
}

function describeMatches(
  ctx: ReconcileContext,
  { matched, doubtful, undecided }: Matches,
): Difference[] {
  const name = (jobs: FreeJob[]) =>
    jobs.map(({ vendorAccounts: [first], jobId }) => `${first} ${jobId}`).join(", ");
  return [
    ...matched.map(
      ({ task, job }): Difference => ({
        kind: "job found",
        id: task.taskId,
        detail: `its job is ${name([job])}`,
        action: "connect them",
        apply: () => connect(ctx, task, job),
      }),
    ),
    ...doubtful.filter(isUnclaimed).map(
      ({ task, jobs }): Difference => ({
        kind: "job in doubt",
        id: task.taskId,
        detail: `its job may be ${name(jobs)}, or that of a task that is lost`,
        action: unknownAction,
        apply: () => claim(ctx, task, jobs[0] && sharedVendorAccount(task, jobs[0])),
      }),
    ),
    ...undecided.filter(isUnclaimed).map(
      ({ task, jobs }): Difference => ({
        kind: "job undecided",
        id: task.taskId,
        detail: `its job may be ${name(jobs)}, which shows its prompt when it is over`,
        action: "run this again when those jobs are over",
        apply: null,
        isBlocking: true,
      }),
    ),
  ];
}

/**
 * Whether no earlier run has claimed the task. A claimed task is settled, but still identifies the owner of
 * a job.
 */
function isUnclaimed({ task }: { task: Unexplained }): boolean {
  return !task.isClaimed;
}

async function connect(ctx: ReconcileContext, task: Unexplained, job: FreeJob): Promise<void> {
  const { taskId } = task;
  const { pool, config } = ctx;
  if (task.submitStartedAt === null) await claim(ctx, task, sharedVendorAccount(task, job));
  const pollMs = config.tasks.pollFirstMs;
  if (!(await bindJob(pool, { taskId, jobId: job.jobId, pollMs, isAnswer: true })))
    throw new Error(`task ${taskId} was not connected with job ${job.jobId}`);
}

/**
 * The submit is unknown from now on, as after a crash: the vendor's callback may still name the task;
 * if none does, the next polls fail it and release its hold.
 */
async function claim(
  ctx: ReconcileContext,
  task: Unexplained,
  vendorAccount = "none",
): Promise<void> {
  const { taskId, submitStartedAt } = task;
  if (submitStartedAt !== null) await dropClaim(ctx.db, taskId);
  const isAtWork = ctx.vendors.get(vendorAccount)?.vendor.jobs === null;
  const charge = chargeOf(ctx.vendors.get(vendorAccount), task);
  const claiming = { taskId, vendorAccount, graceMs: 0, isAtWork, known: null, charge };
  const claimed = await claimSubmit(ctx.pool, claiming);
  if (claimed === undefined) return; // by an earlier run
  const submit = { taskId, ...claimed, outcome: "unknown", detail: claimedDetail } as const;
  await recordSubmission(ctx.db, submit);
}

/** By what the submit is charged once its end is known; until then nothing is. */
function chargeOf(account: VendorAccount | undefined, { request }: Unexplained): Charge | null {
  if (!account?.serves(request.model)) return null;
  return {
    vendorModel: account.vendor.modelOf(request),
    facts: costFactsOf(request),
    cost: null,
  };
}

function orphan(
  ctx: ReconcileContext,
  job: FreeJob,
  isOurs: boolean,
  account: string | null,
): Difference {
  const { vendorAccounts, jobId, createdAt, isOver } = job;
  const [vendorAccount = ""] = vendorAccounts;
  const jobs = ctx.vendors.get(vendorAccount)?.vendor.jobs;
  const isCancelled = isOurs && !isOver && jobs != null;
  return {
    kind: "job without a task",
    id: `${vendorAccount} ${jobId}`,
    detail: `created ${createdAt.toISOString()}, ${isOver ? "over" : "at work"}, account ${account ?? "unknown"}`,
    action: isCancelled ? "cancel it" : "none: it is listed for the vendor's bill",
    apply: isCancelled ? () => jobs.cancel(jobId) : null,
  };
}

function unconfirmed(ctx: ReconcileContext, { task, vendorAccounts }: Unlisted): Difference {
  return {
    kind: "submit unconfirmed",
    id: task.taskId,
    detail: `${vendorAccounts.join(", ")} may have made it already and lists nothing`,
    action: unknownAction,
    apply: () => claim(ctx, task, vendorAccounts[0]),
  };
}

function unavailable(name: string): Difference {
  const action = "make it reachable and run this again";
  return {
    kind: "vendor unavailable",
    id: name,
    detail: "its jobs could not be listed",
    action,
    apply: null,
    isBlocking: true,
  };
}
