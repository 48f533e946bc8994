import { randomUUID } from "node:crypto";
import type { SandboxConfig } from "../config.ts";
import type { FilmLinks } from "../film/film-links.ts";
import { brokenFilmName, noFilmName } from "../film/film-routes.ts";
import type { FilmStore } from "../film/film-store.ts";
import { createGate } from "../gate.ts";
import { InputError } from "../input-error.ts";
import type { Trade } from "../job-life.ts";
import { DashScopeError, internalError, rateExceeded } from "./errors.ts";
import type { HorseJob } from "./horse-job.ts";
import { errorOf } from "./outcomes.ts";
import { planFilm } from "./plan-film.ts";

interface Parts {
  config: SandboxConfig;
  films: FilmStore;
  links: FilmLinks;
  /** Aborted when the sandbox stops. */
  stopping: AbortSignal;
}

/** From the end of a task on, its id is known for as long as its film. */
const keptMs = 86_400_000;
/** Jobs whose images are in memory at a time. */
const fetchedMax = 16;

/** What is DashScope's own about jobs: no callbacks, no expiry, ids that are UUIDs. */
export function createHorseTrade(parts: Parts): Trade<HorseJob> {
  const gate = createGate(fetchedMax);
  return {
    vendor: "dashscope",
    newId: () => randomUUID(),
    newJob: (job, request) => ({ ...job, request }),
    fullError: rateExceeded,
    async produceFilm(job) {
      const isBare = job.request.imageUrls.length === 0;
      const film = isBare ? produceFilm(parts, job) : gate.pass(() => produceFilm(parts, job));
      return film.catch(errorFrom);
    },
    scriptedError: errorOf,
    retire(job) {
      job.request = { ...job.request, imageUrls: [] }; // data URIs may be many megabytes
      return keptMs;
    },
  };
}

async function produceFilm(parts: Parts, { request, script }: HorseJob) {
  const { config, films, links, stopping } = parts;
  const spec = await planFilm(request, stopping);
  const sign = (name: string, livesMs: number) => ({
    videoUrl: links.sign(name, Date.now() + livesMs),
  });
  if (script.film === "badfilm") return sign(noFilmName, config.linkMs);
  if (script.film === "deadlink") return sign(noFilmName, -1_000);
  if (script.film === "brokenlink") return sign(brokenFilmName, config.linkMs);
  const seconds = script.film === "wrong-length" ? Math.floor(spec.seconds / 2) : spec.seconds;
  return sign(await films.obtain({ ...spec, seconds }), config.linkMs);
}

function errorFrom(error: unknown): DashScopeError {
  if (error instanceof DashScopeError) return error;
  if (error instanceof InputError) return errorOf(error.outcome);
  return internalError(`The film could not be rendered: ${String(error)}`);
}
