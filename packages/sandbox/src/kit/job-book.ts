import type { Job } from "./job.ts";
import { createJobLife, type JobLife, type LifeParts, type Trade } from "./job-life.ts";
import type { Script } from "./script.ts";

const jobsMax = 250_000;

/** The jobs of one vendor that this process was given and still remembers. */
export interface JobBook<J extends Job> {
  /** Throws the vendor's error when the book is full. */
  accept(request: J["request"], script: Script): J;
  find(id: string): J | undefined;
  /** Oldest first. */
  all(): MapIterator<J>;
  size(): number;
  accepted(): number;
  cancel(job: J): void;
  erase(job: J): void;
  finish: JobLife<J>["finish"];
}

interface Parts extends LifeParts {
  /** Numbers the jobs of all vendors. */
  nextNumber(): number;
}

export function openJobBook<J extends Job>(parts: Parts, trade: Trade<J>): JobBook<J> {
  const jobs = new Map<string, J>();
  const life = createJobLife(parts, trade, (job) => jobs.delete(job.id));
  let accepted = 0;
  return {
    accept(request, script) {
      if (jobs.size >= jobsMax) throw trade.fullError();
      const now = Date.now();
      const { vendor } = trade;
      const given = { number: parts.nextNumber(), vendor, id: trade.newId(now), request, script };
      const blank = { status: "queued" as const, error: null, videoUrl: null, startedAtMs: null };
      const job = trade.newJob({ ...given, ...blank, createdAtMs: now, updatedAtMs: now }, request);
      accepted++;
      jobs.set(job.id, job);
      life.begin(job);
      return job;
    },
    find: (id) => jobs.get(id),
    all: () => jobs.values(),
    size: () => jobs.size,
    accepted: () => accepted,
    cancel: (job) => life.move(job, "cancelled"),
    erase(job) {
      jobs.delete(job.id);
      parts.journal.write({ event: "erase", jobId: job.id });
    },
    finish: life.finish,
  };
}
