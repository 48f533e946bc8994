import { createHash, randomUUID } from "node:crypto";
import type { SandboxConfig } from "../config.ts";
import type { FilmLinks } from "../film/film-links.ts";
import { brokenFilmName, noFilmName } from "../film/film-routes.ts";
import type { FilmStore } from "../film/film-store.ts";
import { createGate } from "../gate.ts";
import { InputError } from "../input-error.ts";
import { fetchInput } from "../inputs.ts";
import type { Trade } from "../job-life.ts";
import { enlargeFilm } from "./enlarge-film.ts";
import { FalError, internalError, tooManyRequests } from "./errors.ts";
import { errorOf } from "./outcomes.ts";
import type { UpscaleJob } from "./upscale-job.ts";

interface Parts {
  config: SandboxConfig;
  films: FilmStore;
  links: FilmLinks;
  /** Aborted when the sandbox stops. */
  stopping: AbortSignal;
}

/** fal keeps a result that long. */
const keptMs = 3_600_000;
/** Jobs whose source is in memory at a time. */
const fetchedMax = 8;

/** What is fal's own about jobs: sources that are fetched when the job runs, and no callbacks. */
export function createUpscaleTrade(parts: Parts): Trade<UpscaleJob> {
  const gate = createGate(fetchedMax);
  return {
    vendor: "fal",
    newId: () => randomUUID(),
    newJob: (job, request) => ({ ...job, request, film: null }),
    fullError: tooManyRequests,
    produceFilm: (job) => gate.pass(() => produceFilm(parts, job)).catch(errorFrom),
    scriptedError: errorOf,
    retire: () => keptMs,
  };
}

async function produceFilm(parts: Parts, job: UpscaleJob): Promise<Partial<UpscaleJob>> {
  const { config, films, links, stopping } = parts;
  const { request, script } = job;
  const spoilt = { bytes: 0, seconds: 0 };
  const made = (name: string, livesMs: number, film = spoilt) => ({
    videoUrl: links.sign(name, Date.now() + livesMs),
    film,
  });
  if (script.film === "badfilm") return made(noFilmName, config.linkMs);
  if (script.film === "deadlink") return made(noFilmName, -1_000);
  if (script.film === "brokenlink") return made(brokenFilmName, config.linkMs);
  const source = await fetchInput(request.sourceUrl, stopping);
  const order = { ...request, isCut: script.film === "wrong-length" };
  const name = `${createHash("sha256").update(job.id).digest("hex").slice(0, 32)}.mp4`;
  const film = await films.inTurn((studio) =>
    enlargeFilm(studio, source, order, films.pathOf(name), stopping),
  );
  return made(name, config.linkMs, film);
}

function errorFrom(error: unknown): FalError {
  if (error instanceof FalError) return error;
  if (error instanceof InputError) return errorOf(error.outcome);
  return internalError(`The film could not be made: ${String(error)}`);
}
