import { ArkError } from "./ark/errors.ts";
import type { VideoRequest } from "./ark/read-request.ts";
import type { Callbacks } from "./callbacks.ts";
import type { SandboxConfig } from "./config.ts";
import type { FilmLinks } from "./film/film-links.ts";
import { noFilmName } from "./film/film-routes.ts";
import type { FilmStore } from "./film/film-store.ts";
import { isOpen, type Job, type JobStatus } from "./job.ts";
import { createJobIds } from "./job-ids.ts";
import type { Journal } from "./journal.ts";
import type { Schedule } from "./schedule.ts";
import type { Script } from "./script.ts";

const jobsMax = 250_000;
const finishedKeptMs = 7 * 86_400_000;
const cancelledKeptMs = 86_400_000;

export interface JobBook {
  /** Throws ArkError QuotaExceeded when the book is full. */
  accept(request: VideoRequest, script: Script): Job;
  find(id: string): Job | undefined;
  /** Oldest first. */
  all(): MapIterator<Job>;
  size(): number;
  accepted(): number;
  cancel(job: Job): void;
  erase(job: Job): void;
  /** Ends an open job now; a job with a film to show renders it first. */
  finish(job: Job, status: "succeeded" | "failed" | "expired", code?: string): Promise<void>;
  /** From now on no job ends, so that a film cut off by the stop is not taken for a failure. */
  stop(): void;
}

interface Parts {
  config: SandboxConfig;
  schedule: Schedule;
  films: FilmStore;
  links: FilmLinks;
  callbacks: Callbacks;
  journal: Journal;
}

/**
 * The life of jobs: queued, running, then an end. Each step is an entry in the schedule that checks
 * whether it is still due; a hung job waits for nothing but its expiry.
 */
export function openJobBook(parts: Parts): JobBook {
  const { config, schedule, callbacks, journal } = parts;
  const jobs = new Map<string, Job>();
  const newId = createJobIds();
  let accepted = 0;
  let stopped = false;

  function move(job: Job, to: JobStatus, error: ArkError | null = null) {
    const from = job.status;
    job.status = to;
    job.error = error && { code: error.code, message: error.message };
    job.updatedAtMs = Date.now();
    journal.write({ event: "status", jobId: job.id, from, to, code: error?.code ?? null });
    if (to !== "cancelled") callbacks.announce(job);
    if (isOpen(job)) return;
    const keptMs = to === "cancelled" ? cancelledKeptMs : finishedKeptMs;
    schedule.after(keptMs, () => jobs.delete(job.id));
  }

  function start(job: Job) {
    if (job.status !== "queued") return;
    move(job, "running");
    if (job.script.hang) return;
    const film = job.script.fail === undefined ? obtainFilm(parts, job) : undefined;
    schedule.after(job.script.runningMs ?? config.runningMs, () => void conclude(job, film));
  }

  async function conclude(
    job: Job,
    film: Promise<FilmOutcome> | undefined,
    code = job.script.fail,
  ) {
    const outcome = (await film) ?? failure(code);
    if (stopped || !isOpen(job)) return;
    if (outcome instanceof ArkError) return move(job, "failed", outcome);
    job.videoUrl = outcome.videoUrl;
    move(job, "succeeded");
  }

  return {
    accept(request, script) {
      if (jobs.size >= jobsMax) throw new ArkError("QuotaExceeded", "The queue is full.");
      const now = Date.now();
      const times = { createdAtMs: now, updatedAtMs: now };
      const number = ++accepted;
      const blank = { status: "queued" as const, error: null, videoUrl: null };
      const job: Job = { number, id: newId(now), request, script, ...blank, ...times };
      jobs.set(job.id, job);
      journal.write({ event: "status", jobId: job.id, from: null, to: "queued", code: null });
      callbacks.announce(job);
      schedule.after(config.queuedMs, () => start(job));
      schedule.after(request.expiresAfterSeconds * config.expirySecondMs, () => {
        if (isOpen(job)) move(job, "expired");
      });
      return job;
    },
    find: (id) => jobs.get(id),
    all: () => jobs.values(),
    size: () => jobs.size,
    accepted: () => accepted,
    cancel: (job) => move(job, "cancelled"),
    erase(job) {
      jobs.delete(job.id);
      journal.write({ event: "erase", jobId: job.id });
    },
    async finish(job, status, code) {
      if (status === "expired") return move(job, "expired");
      const film = status === "succeeded" ? obtainFilm(parts, job) : undefined;
      await conclude(job, film, code);
    },
    stop() {
      stopped = true;
    },
  };
}

type FilmOutcome = { videoUrl: string } | ArkError;

function failure(code = "InternalServiceError"): ArkError {
  return new ArkError(code, "The sandbox was told to fail this task.");
}

/** Never rejects: a film that cannot be rendered is the vendor's internal error. */
async function obtainFilm({ config, films, links }: Parts, job: Job): Promise<FilmOutcome> {
  const { request, script } = job;
  const sign = (name: string, livesMs: number) => ({
    videoUrl: links.sign(name, Date.now() + livesMs),
  });
  if (script.film === "badfilm") return sign(noFilmName, config.linkMs);
  if (script.film === "deadlink") return sign(noFilmName, -1_000);
  const seconds =
    script.film === "wrong-length"
      ? Math.floor(request.durationSeconds / 2)
      : request.durationSeconds;
  try {
    const name = await films.obtain({
      prompt: request.drawnPrompt,
      ...request.size,
      seconds,
      audio: request.generateAudio,
      seed: request.seed,
    });
    return sign(name, config.linkMs);
  } catch (error) {
    return new ArkError("InternalServiceError", `The film could not be rendered: ${String(error)}`);
  }
}
