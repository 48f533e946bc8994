import type { UpscaleMoments } from "../db/tables/tasks.ts";
import type { TimelineAttempt, TimelineSubmit, TimelineTask } from "./timeline-queries.ts";
import type { TimelineEntry } from "./timeline-schema.ts";

/** The outcomes of submits after which the task waited for the next submit. */
const returned: readonly (string | null)[] = ["refused", "throttled", "unavailable"];

type Add = (
  event: TimelineEntry["event"],
  state: TimelineEntry["state"],
  to: number | null,
  more?: Partial<TimelineEntry>,
) => void;

/**
 * Returns the timeline of a task: each entry lasts from the end of the one before until its event, and says
 * whether the task was worked on or waited. The last one of an open task has no end. Events that older
 * tasks did not record are left out.
 */
export function timelineOf(task: TimelineTask, forOperator: boolean): TimelineEntry[] {
  const entries: TimelineEntry[] = [];
  let at = task.createdAt;
  const add: Add = (event, state, to, more = {}) => {
    // Clocks of different machines wrote the times: none goes back.
    const until = to === null ? null : Math.max(at, to);
    entries.push({ event, state, from: at, to: until, ...more });
    at = until ?? at;
  };
  const isUnderWay = () => entries.at(-1)?.to === null;
  add("accepted", "working", at);
  if (task.kind === "generation") addSubmits(task, add, forOperator);
  if (!isUnderWay()) addStoring(task, add);
  if (!isUnderWay() && task.completedAt !== null)
    add("finished", wasIdle(task) ? "waiting" : "working", task.completedAt, {
      outcome: task.status,
      errorCode: task.errorCode,
    });
  return entries;
}

function momentsOf({ moments, openMoments }: TimelineTask) {
  return moments ?? openMoments ?? {};
}

/** Whether no work was in progress for the task when it ended. */
function wasIdle({ kind, submits, status }: TimelineTask): boolean {
  const last = submits.at(-1);
  if (status === "COMPLETED" || kind === "upscale") return false;
  return last === undefined || returned.includes(last.outcome);
}

function addSubmits(task: TimelineTask, add: Add, forOperator: boolean): void {
  const { submits, completedAt } = task;
  for (const [index, submit] of submits.entries()) {
    add("submit", "waiting", submit.startedAt);
    const { endedAt, acceptedAt, outcome } = submit;
    const end = endedAt ?? acceptedAt ?? submits[index + 1]?.startedAt ?? completedAt;
    add("submit", "working", end, { outcome, ...(forOperator ? vendorOf(submit) : {}) });
  }
  const last = submits.at(-1);
  if (last === undefined || returned.includes(last.outcome)) {
    if (completedAt === null) add("submit", "waiting", null);
    return;
  }
  if (last.outcome === "delivered" || (last.endedAt === null && last.acceptedAt === null)) return;
  addJob(task, last, add);
}

/** The vendor's job: from its acceptance to its end. */
function addJob(task: TimelineTask, submit: TimelineSubmit, add: Add): void {
  const { vendorEndedAt = null } = momentsOf(task);
  const { acceptedAt, endedAt, outcome } = submit;
  const isOver = task.completedAt !== null;
  if (acceptedAt === null && outcome !== "accepted") {
    if (!isOver) add("vendorAccepted", "waiting", null); // its response was lost, and the job is searched for
    return;
  }
  const from = acceptedAt ?? endedAt ?? submit.startedAt;
  const isLate = endedAt !== null && from > endedAt; // found by a callback or by looking for it
  add("vendorAccepted", isLate ? "waiting" : "working", from);
  if (vendorEndedAt !== null || !isOver) add("vendorFinished", "working", vendorEndedAt);
}

function vendorOf({ vendorAccount, vendorJobId, detail }: TimelineSubmit) {
  return { vendorAccount, vendorJobId, detail };
}

/** Adds the entries after the vendor's job, or after the source of an upscale. */
function addStoring(task: TimelineTask, add: Add): void {
  const { upscale } = momentsOf(task);
  const isOver = task.completedAt !== null;
  const storedAt = task.output?.[0]?.storedAt ?? null;
  if (upscale !== undefined) {
    add("stored", "working", upscale.startedAt);
    if (!addUpscale(upscale, isOver, add)) return;
  }
  if (storedAt !== null || !isOver) add("stored", "working", storedAt);
}

/** Says whether it is over. */
function addUpscale(upscale: UpscaleMoments, isOver: boolean, add: Add): boolean {
  const { segments, segmentCount } = upscale;
  const starts = segments.flatMap(([from]) => from ?? []);
  const ends = segments.flatMap(([, to]) => to ?? []);
  const more = {
    segmentCount,
    segments: segments.map(([from, to], number) => ({ number, from, to })),
  };
  if (starts.length > 0) add("upscaled", "waiting", Math.min(...starts));
  const isDone = ends.length === segments.length;
  if (!isDone && isOver) return true; // ended in the middle: a deadline, or a segment that failed
  const state = starts.length > 0 ? "working" : "waiting";
  add("upscaled", state, isDone ? Math.max(...ends) : null, more);
  return isDone;
}

/** The deliveries beside each other: an attempt waits for its own delivery only. */
export function attemptsOf(attempts: readonly TimelineAttempt[]): TimelineEntry[] {
  return attempts.flatMap((attempt, index) => {
    const { deliveryId, url, number, startedAt, isOpen } = attempt;
    const before = attempts[index - 1];
    const from = before?.deliveryId === deliveryId ? endOf(before) : attempt.queuedAt;
    const about = { event: "delivery" as const, deliveryId, url };
    if (startedAt === null || number === null)
      return isOpen ? [{ ...about, state: "waiting" as const, from, to: null }] : [];
    const isLast = attempts[index + 1]?.deliveryId !== deliveryId;
    const isRunning = attempt.durationMs === null && isLast && isOpen;
    const to = isRunning ? null : endOf(attempt);
    const outcome = isRunning ? null : attempt.reason === null && attempt.status !== null;
    const worked = {
      ...about,
      state: "working" as const,
      from: startedAt,
      to,
      attempt: number,
      outcome: outcome === null ? null : outcome ? "delivered" : "failed",
      status: attempt.status,
      reason: attempt.reason,
    };
    const waited = { ...about, state: "waiting" as const, from: Math.min(from, startedAt) };
    const waitsOn = isLast && isOpen && to !== null;
    return [
      { ...waited, to: startedAt },
      worked,
      ...(waitsOn ? [{ ...about, state: "waiting" as const, from: to, to: null }] : []),
    ];
  });
}

function endOf({ startedAt, durationMs, queuedAt }: TimelineAttempt): number {
  return (startedAt ?? queuedAt) + (durationMs ?? 0);
}
