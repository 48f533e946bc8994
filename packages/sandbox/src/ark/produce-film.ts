import assert from "node:assert/strict";
import type { SandboxConfig } from "../config.ts";
import type { FilmInputs } from "../film/compose.ts";
import type { FilmLinks } from "../film/film-links.ts";
import { brokenFilmName, noFilmName } from "../film/film-routes.ts";
import type { FilmStore } from "../film/film-store.ts";
import { pictureSize } from "../film/picture-size.ts";
import { createGate } from "../gate.ts";
import { InputError } from "../input-error.ts";
import { fetchInput, isAsset } from "../inputs.ts";
import type { ArkJob } from "./ark-job.ts";
import type { InputRole } from "./content.ts";
import { ArkError } from "./errors.ts";
import { inputError } from "./outcomes.ts";
import { nearestRatio, type Ratio, sizeOf } from "./sizes.ts";

export interface FilmParts {
  config: SandboxConfig;
  films: FilmStore;
  links: FilmLinks;
  /** Aborted when the sandbox stops. */
  stopping: AbortSignal;
  /** What a registered asset holds; undefined when there is none of that id. */
  bytesOfAsset?: (id: string) => Promise<Buffer> | undefined;
}

export type FilmOutcome = { videoUrl: string; ratio: Ratio } | ArkError;

/** Jobs whose inputs are in memory at a time. */
const fetchedMax = 16;

/** Makes the films of jobs. Never rejects: what goes wrong is the error of the job. */
export function createProduceFilm(parts: FilmParts): (job: ArkJob) => Promise<FilmOutcome> {
  const gate = createGate(fetchedMax);
  return async (job) => {
    try {
      if (job.request.inputs.length === 0) return await produce(parts, job, {});
      return await gate.pass(async () => produce(parts, job, await fetchInputs(parts, job)));
    } catch (error) {
      if (error instanceof InputError) return inputError(error.outcome, error.message);
      const message = `The film could not be rendered: ${String(error)}`;
      return new ArkError("InternalServiceError", message);
    }
  };
}

async function produce(parts: FilmParts, job: ArkJob, inputs: FilmInputs): Promise<FilmOutcome> {
  const { config, films, links } = parts;
  const { request, script } = job;
  const ratio = request.ratio === "adaptive" ? await adaptedRatio(inputs) : request.ratio;
  const sign = (name: string, livesMs: number) => ({
    videoUrl: links.sign(name, Date.now() + livesMs),
    ratio,
  });
  if (script.film === "badfilm") return sign(noFilmName, config.linkMs);
  if (script.film === "deadlink") return sign(noFilmName, -1_000);
  if (script.film === "brokenlink") return sign(brokenFilmName, config.linkMs);
  const { durationSeconds } = request;
  const name = await films.obtain({
    ...inputs,
    prompt: request.drawnPrompt,
    ...sizeOf(request.resolution, ratio),
    seconds: script.film === "wrong-length" ? Math.floor(durationSeconds / 2) : durationSeconds,
    audio: request.generateAudio,
    seed: request.seed,
  });
  return sign(name, config.linkMs);
}

async function adaptedRatio({ firstFrame, references = [] }: FilmInputs): Promise<Ratio> {
  const picture = firstFrame ?? references[0];
  assert(picture, "only a request with an image stays adaptive");
  return nearestRatio(await pictureSize(picture));
}

/** Fetches all inputs of a job, as the vendor does once it begins to work. Throws InputError. */
async function fetchInputs(parts: FilmParts, { request }: ArkJob): Promise<FilmInputs> {
  const fetched = await Promise.all(
    request.inputs.map(async ({ role, url }) => ({
      role,
      bytes: await fetchOne(parts, role, url),
    })),
  );
  const of = (role: InputRole) =>
    fetched.flatMap((input) => (input.role === role && input.bytes ? [input.bytes] : []));
  const [firstFrame] = of("first_frame");
  const [lastFrame] = of("last_frame");
  return {
    ...(firstFrame && { firstFrame }),
    ...(lastFrame && { lastFrame }),
    references: of("reference_image"),
    clips: of("reference_video"),
    sounds: of("reference_audio"),
  };
}

/** An asset that nobody knows stands for a picture with its id; as a film or a sound, for nothing. */
async function fetchOne(parts: FilmParts, role: InputRole, url: string) {
  const registered = isAsset(url) ? parts.bytesOfAsset?.(url.slice("asset://".length)) : undefined;
  if (registered) return await registered;
  const isPicture = role !== "reference_video" && role !== "reference_audio";
  return isPicture || !isAsset(url) ? await fetchInput(url, parts.stopping) : undefined;
}
