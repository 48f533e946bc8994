import type { SandboxConfig } from "../config.ts";
import { isOpen, type Job, type JobStatus } from "./job.ts";
import type { Journal } from "./journal.ts";
import type { Schedule } from "./schedule.ts";
import type { Vendor } from "./vendor.ts";

/** The failure of a job, with the vendor's own code. */
export type JobError = Error & { code: string };

/** The vendor-specific behaviour of jobs. */
export interface JobBehaviour<J extends Job> {
  vendor: Vendor;
  newId(atMs: number): string;
  newJob(job: Job, request: J["request"]): J;
  /** Returns the error for a create when there are too many jobs. */
  fullError(): Error;
  /** Returns the fields that a job gains when it succeeds, or its error. Never rejects. */
  produceVideo(job: J): Promise<Partial<J> | JobError>;
  /** Returns the vendor's own error for the outcome that a script or the control endpoint requests. */
  scriptedError(outcome: string): JobError;
  /** Undefined for a vendor whose jobs do not expire. */
  expiresAfterMs?(job: J): number;
  /** After every change of a job's status. */
  changed?(job: J): void;
  /** Drops what an ended job needs no more and says how long it is remembered. */
  retire(job: J): number;
}

export interface LifeParts {
  config: SandboxConfig;
  schedule: Schedule;
  journal: Journal;
  /** Aborted when the sandbox stops: a video cut off by that must not pass for a failure. */
  stopping: AbortSignal;
}

export interface JobLife<J extends Job> {
  /** Queues a new job. */
  begin(job: J): void;
  /** Goes on with a job of an earlier process: the step that it was in begins again. */
  resume(job: J): void;
  move(job: J, to: JobStatus): void;
  /** Ends an open job now; a job with a video to show renders it first. */
  finish(job: J, status: "succeeded" | "failed" | "expired", outcome?: string): Promise<void>;
}

/**
 * The life of jobs: queued, running, then an end. Each step is an entry in the schedule that checks
 * whether it is still due; a hung job waits for nothing but its expiry.
 */
export function createJobLife<J extends Job>(
  { config, schedule, journal, stopping }: LifeParts,
  behaviour: JobBehaviour<J>,
  { save, forget }: { save(job: J): void; forget(job: J): void },
): JobLife<J> {
  function note({ vendor, id: jobId, status: to, error }: J, from: JobStatus | null) {
    journal.write({ event: "status", vendor, jobId, from, to, code: error?.code ?? null });
  }

  function move(job: J, to: JobStatus, error: JobError | null = null) {
    const from = job.status;
    job.status = to;
    job.error = error && { code: error.code, message: error.message };
    job.updatedAtMs = Date.now();
    if (to === "running") job.startedAtMs = job.updatedAtMs;
    note(job, from);
    behaviour.changed?.(job);
    if (!isOpen(job)) schedule.after(behaviour.retire(job), () => forget(job));
    save(job);
  }

  function start(job: J) {
    if (job.status !== "queued") return;
    move(job, "running");
    work(job);
  }

  function work(job: J) {
    const { hang, expire: expires, fail, runningMs = config.runningMs } = job.script;
    if (hang) return;
    if (expires && behaviour.expiresAfterMs) return schedule.after(runningMs, () => expire(job));
    const video = fail === undefined ? behaviour.produceVideo(job) : undefined;
    schedule.after(runningMs, () => void conclude(job, video));
  }

  function expire(job: J) {
    if (isOpen(job)) move(job, "expired");
  }

  function scheduleSteps(job: J) {
    if (job.status === "queued") schedule.after(config.queuedMs, () => start(job));
    else work(job);
    if (!behaviour.expiresAfterMs) return;
    const leftMs = job.createdAtMs + behaviour.expiresAfterMs(job) - Date.now();
    schedule.after(Math.max(0, leftMs), () => expire(job));
  }

  async function conclude(
    job: J,
    video: Promise<Partial<J> | JobError> | undefined,
    outcome = job.script.fail ?? "vendor_failed",
  ) {
    const made = (await video) ?? behaviour.scriptedError(outcome);
    if (stopping.aborted || !isOpen(job)) return;
    if (made instanceof Error) return move(job, "failed", made);
    Object.assign(job, made);
    move(job, "succeeded");
  }

  return {
    begin(job) {
      note(job, null);
      behaviour.changed?.(job);
      scheduleSteps(job);
      save(job);
    },
    resume(job) {
      if (isOpen(job)) return scheduleSteps(job);
      const leftMs = job.updatedAtMs + behaviour.retire(job) - Date.now();
      schedule.after(Math.max(0, leftMs), () => forget(job));
    },
    move,
    async finish(job, status, outcome) {
      if (status === "expired") return expire(job);
      await conclude(
        job,
        status === "succeeded" ? behaviour.produceVideo(job) : undefined,
        outcome,
      );
    },
  };
}
