import type { AccountId, TaskId } from "../../ids.ts";
import type { ModelRequest } from "../../models/request.ts";
import type { SeenJob } from "../../vendors/vendor.ts";

/** A task that the restored database has as not submitted, or as submitted without a job. */
export interface Unexplained {
  taskId: TaskId;
  accountId: AccountId;
  /** The end user by which vendors know its account. */
  endUser: string;
  request: ModelRequest;
  createdAt: Date;
  deadlineAt: Date;
  /** Null, too, where it was only claimed here, by an earlier run. */
  submitStartedAt: Date | null;
  isClaimed: boolean;
  /** The vendor accounts that it may have been sent to. */
  vendorAccounts: readonly string[];
}

/** A job that no row names. */
export interface FreeJob extends SeenJob {
  /** Those that list it: several may be one account with the vendor. */
  vendorAccounts: readonly string[];
}

/** The vendor account through which the task can have got the job. */
export function sharedVendorAccount(task: Unexplained, job: FreeJob): string | undefined {
  return job.vendorAccounts.find((name) => task.vendorAccounts.includes(name));
}

export interface Matches {
  /** Certainly the task's own. */
  matched: { task: Unexplained; job: FreeJob }[];
  /** One of the jobs may be the task's, and nothing says which: it must not be submitted again. */
  doubtful: { task: Unexplained; jobs: FreeJob[] }[];
  /** Tasks with possible jobs of which at least one is still running and will show more when it has ended. */
  undecided: { task: Unexplained; jobs: FreeJob[] }[];
  /** Jobs that belong to no task in the database. */
  orphans: FreeJob[];
}

/** The maximum difference between the vendor's clock and ours. */
const skewMs = 10_000;
/** The maximum duration of a submit. */
const callMsMax = 20_000;
/** A job that was asked to expire further from the task's deadline than this is another's. */
const expiryMsMax = 5 * 60_000;

/**
 * Finds the tasks of the free jobs. A vendor that gets a deadline repeats it, which distinguishes tasks of
 * one account; another shows the prompt. A job whose task may be younger than the restored point is never
 * certain, because that task may be lost. Nothing is guessed.
 */
export function matchJobs(
  tasks: readonly Unexplained[],
  jobs: readonly FreeJob[],
  point: Date,
): Matches {
  const matched = findOwn(tasks, jobs, point);
  const isOwn = new Set<unknown>(matched.flatMap(({ task, job }) => [task, job]));
  const openTasks = tasks.filter((task) => !isOwn.has(task));
  const openJobs = jobs.filter((job) => !isOwn.has(job));
  const rest = openTasks
    .map((task) => ({ task, jobs: openJobs.filter((job) => mayBe(task, job)) }))
    .filter((doubt) => doubt.jobs.length > 0);
  const showsMore = (job: FreeJob) => job.endUser === null && !job.isOver;
  const wanted = new Set(rest.flatMap((doubt) => doubt.jobs));
  return {
    matched,
    doubtful: rest.filter((doubt) => !doubt.jobs.some(showsMore)),
    undecided: rest.filter((doubt) => doubt.jobs.some(showsMore)),
    orphans: openJobs.filter((job) => !wanted.has(job)),
  };
}

/** The pairs in which each has nobody but the other. */
function findOwn(tasks: readonly Unexplained[], jobs: readonly FreeJob[], point: Date) {
  return tasks.flatMap((task) => {
    const [job, ...others] = jobs.filter((one) => looksLike(task, one));
    if (job === undefined || others.length > 0) return [];
    const rivals = tasks.filter((one) => one !== task && looksLike(one, job));
    return rivals.length === 0 && isOlder(task, job, point) ? [{ task, job }] : [];
  });
}

function mayBe(task: Unexplained, job: FreeJob): boolean {
  if (sharedVendorAccount(task, job) === undefined) return false;
  if (job.endUser !== null && job.endUser !== task.endUser) return false;
  if (job.isFor(task.request) === false) return false;
  const { submitStartedAt, createdAt, deadlineAt } = task;
  const submitted = job.createdAt.getTime() - (submitStartedAt ?? createdAt).getTime();
  if (submitted < -skewMs) return false;
  if (submitStartedAt !== null && submitted > callMsMax + skewMs) return false;
  const { expiresAt } = job;
  return expiresAt === null || Math.abs(expiresAt.getTime() - deadlineAt.getTime()) <= expiryMsMax;
}

function looksLike(task: Unexplained, job: FreeJob): boolean {
  if (!mayBe(task, job)) return false;
  if (job.isFor(task.request) === true) return true;
  if (job.endUser === null || job.expiresAt === null) return false;
  const late = job.expiresAt.getTime() - task.deadlineAt.getTime();
  return late >= -skewMs && late <= callMsMax + skewMs;
}

/** Whether the job's task was certainly created before the point, and so is one that the database has. */
function isOlder(task: Unexplained, job: FreeJob, point: Date): boolean {
  if (job.isFor(task.request) === true || job.expiresAt === null) return true;
  const ageMsMax = task.deadlineAt.getTime() - task.createdAt.getTime();
  return job.expiresAt.getTime() - ageMsMax <= point.getTime() - skewMs;
}
