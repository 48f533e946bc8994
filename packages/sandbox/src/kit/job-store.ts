import type { Job } from "./job.ts";
import { createJobLife, type JobBehaviour, type JobLife, type LifeParts } from "./job-life.ts";
import type { Script } from "./script.ts";

const jobsMax = 250_000;

/** The jobs of one vendor that this process was given and still remembers. */
export interface JobStore<J extends Job> {
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

export function openJobStore<J extends Job>(parts: Parts, behaviour: JobBehaviour<J>): JobStore<J> {
  const jobs = new Map<string, J>();
  const life = createJobLife(parts, behaviour, (job) => jobs.delete(job.id));
  let accepted = 0;
  return {
    accept(request, script) {
      if (jobs.size >= jobsMax) throw behaviour.fullError();
      const now = Date.now();
      const { vendor } = behaviour;
      const given = {
        number: parts.nextNumber(),
        vendor,
        id: behaviour.newId(now),
        request,
        script,
      };
      const blank = { status: "queued" as const, error: null, videoUrl: null, startedAtMs: null };
      const job = behaviour.newJob(
        { ...given, ...blank, createdAtMs: now, updatedAtMs: now },
        request,
      );
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
