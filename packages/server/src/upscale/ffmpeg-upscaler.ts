import { join } from "node:path";
import type { FilmPlan, PiecePlan } from "../db/schema.ts";
import { type EncoderPreset, enlargePiece } from "../media/enlarge.ts";
import { measureFile } from "../media/fetch-object.ts";
import type { Storage } from "../media/storage.ts";
import type { UpscaleResolution } from "../models/request.ts";
import { cutFilm } from "./cut-film.ts";
import { createSourceCache } from "./source-cache.ts";
import type { Upscaler } from "./upscaler.ts";

/** Far above what crf asks of ordinary films; it keeps 600 s of noise below what a store takes. */
const megabitsMax: Readonly<Record<UpscaleResolution, number>> = {
  "1080p": 20,
  "2k": 35,
  "4k": 50,
};
/** Ten times what a core of today needs at the default preset; slower presets take up to five times that. */
const msPerMegapixel = 400;
const startMsMax = 60_000;
const idleSources = { filesMax: 2, keptMs: 30_000 };

/** Lanczos and contrast-adaptive sharpening on this service's own processors. */
export function createFfmpegUpscaler(world: {
  storage: Storage;
  workDir: string;
  settings: Omit<EncoderPreset, "megabitsMax">;
  /** How much of the result is one piece: its frames times their pixels. */
  pieceMegapixels: number;
}): Upscaler {
  const sources = createSourceCache(world.storage, join(world.workDir, "sources"), idleSources);
  return {
    cut: (film, frames) => cutFilm(film, frames, world.pieceMegapixels),
    work: ({ film, piece, sourceKey }, run) =>
      sources.use(sourceKey, async (path) => {
        const settings = { ...world.settings, megabitsMax: megabitsMax[film.target] };
        const msMax = startMsMax + msPerMegapixel * megapixelsOf(film, piece);
        const file = await enlargePiece(path, orderOf(film, piece), settings, { ...run, msMax });
        return { kind: "done", path: file, ...(await measureFile(file)) };
      }),
  };
}

function orderOf(film: FilmPlan, piece: PiecePlan) {
  const { contentType, tick, width, height, isInterlaced, colours, firstAt, endsAt } = film;
  return {
    ...{ contentType, tick, width, height, isInterlaced, colours: colours ?? null },
    from: piece.from,
    to: piece.to >= endsAt ? null : piece.to,
    isFirst: piece.from === firstAt,
  };
}

function megapixelsOf({ width, height }: FilmPlan, { frames }: PiecePlan): number {
  return (frames * width * height) / 1_000_000;
}
