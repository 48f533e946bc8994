import { join } from "node:path";
import type { Job } from "./job.ts";
import { createJobLife, type JobBehaviour, type JobLife, type LifeParts } from "./job-life.ts";
import { openKeyedLog } from "./keyed-log.ts";
import type { Script } from "./script.ts";

const jobsMax = 250_000;

/** The jobs of one vendor that this sandbox was given and still remembers, also from before a restart. */
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
  /** Goes on with the jobs that were there before, once everything else is ready. */
  resume(): void;
  close(): void;
  finish: JobLife<J>["finish"];
}

interface Parts extends LifeParts {
  /** Holds the file with the jobs. */
  dir: string;
  /** The number of the job that was accepted last, by any vendor. */
  numbers: { last: number };
}

export function openJobStore<J extends Job>(parts: Parts, behaviour: JobBehaviour<J>): JobStore<J> {
  const jobs = new Map<string, J>();
  const log = openKeyedLog<J>(join(parts.dir, `${behaviour.vendor}-jobs.jsonl`), () => jobs);
  for (const [id, job] of log.restored) {
    jobs.set(id, job);
    parts.numbers.last = Math.max(parts.numbers.last, job.number);
  }
  const forget = ({ id }: J) => {
    if (jobs.delete(id)) log.remove(id);
  };
  const life = createJobLife(parts, behaviour, { save: (job) => log.put(job.id, job), forget });
  let accepted = 0;
  return {
    accept(request, script) {
      if (jobs.size >= jobsMax) throw behaviour.fullError();
      const now = Date.now();
      const { vendor } = behaviour;
      const given = {
        number: ++parts.numbers.last,
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
      forget(job);
      parts.journal.write({ event: "erase", jobId: job.id });
    },
    finish: life.finish,
    resume: () => [...jobs.values()].forEach(life.resume),
    close: () => log.close(),
  };
}
