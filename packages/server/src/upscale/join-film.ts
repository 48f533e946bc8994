import { mkdir, mkdtemp, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Context } from "../context.ts";
import type { FilmPlan, StoredMedia } from "../db/schema.ts";
import { turnMsMax } from "../durable.ts";
import type { FailureCode } from "../errors.ts";
import { fetchObject, measureFile } from "../media/fetch-object.ts";
import { joinPieces } from "../media/join-pieces.ts";
import { storeFile } from "../media/objects.ts";
import { probeMedia } from "../media/probe.ts";
import { differenceMsMax, faultOfSides, shownMsOf } from "./check-result.ts";
import { findUpscale, listPieces, type UpscaleRow } from "./queries.ts";

const joinMsMax = 5 * 60_000;
/** Beyond the pieces and the source's sound: indexes. */
const slackBytes = 64 * 1024 * 1024;

export type Joining =
  | { kind: "waiting" }
  | { kind: "delivered"; media: StoredMedia }
  | { kind: "failed"; code: FailureCode }
  | { kind: "over" };

/** When all pieces are there: joins them, measures the result and stores it. */
export async function joinFilm(ctx: Context, taskId: string): Promise<Joining> {
  const upscale = await findUpscale(ctx.db, taskId);
  if (upscale === undefined) return { kind: "over" };
  const pieces = await listPieces(ctx.db, taskId);
  const failed = pieces.find(({ failure }) => failure !== null);
  if (failed !== undefined) return { kind: "failed", code: failed.failureCode ?? "task_broken" };
  const done = pieces.flatMap(({ objectKey: key, sizeBytes, plan }) =>
    key === null ? [] : [{ key, sizeBytes: sizeBytes ?? 0, ticks: plan.to - plan.from }],
  );
  if (done.length < pieces.length) return { kind: "waiting" };
  const turn = { accountId: upscale.accountId, signal: AbortSignal.timeout(turnMsMax) };
  return ctx.collects.use(turn, () => joinAll(ctx, taskId, upscale, done));
}

type DonePiece = { key: string; sizeBytes: number; ticks: number };

async function joinAll(
  ctx: Context,
  taskId: string,
  upscale: UpscaleRow,
  pieces: readonly DonePiece[],
): Promise<Joining> {
  const { film, sourceKey } = upscale;
  await mkdir(ctx.workDir, { recursive: true });
  const dir = await mkdtemp(join(ctx.workDir, "join-"));
  try {
    const source = { path: join(dir, "source"), contentType: film.contentType };
    await fetchObject(ctx.storage, sourceKey, source.path);
    const local: { path: string; ticks: number }[] = [];
    for (const [place, { key, ticks }] of pieces.entries()) {
      const path = join(dir, `piece-${place}`);
      await fetchObject(ctx.storage, key, path);
      local.push({ path, ticks });
    }
    const bytesMax =
      pieces.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0) +
      (await stat(source.path)).size +
      slackBytes;
    const hasOwnTimes = film.by === "vendor";
    const parts = { source, film, pieces: local, hasOwnTimes, bytesMax };
    const path = await joinPieces(parts, { dir, msMax: joinMsMax });
    return await keepResult(ctx, taskId, film, path);
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

/** Nothing is delivered that was not measured: the sides and the length must be what was paid for. */
async function keepResult(
  ctx: Context,
  taskId: string,
  film: FilmPlan,
  path: string,
): Promise<Joining> {
  const facts = await probeMedia(path);
  const { width = null, height = null, durationMs = null } = facts ?? {};
  const shownMs = shownMsOf(film);
  const isRight =
    width !== null &&
    height !== null &&
    faultOfSides(film, { width, height }) === null &&
    // The sound may go on for longer than the picture.
    (durationMs ?? 0) > shownMs - differenceMsMax;
  if (facts === null || !isRight) {
    ctx.log.error({ event: "upscale.wrong", taskId, facts, shownMs });
    return { kind: "failed", code: "task_broken" };
  }
  const { contentType, extension } = facts;
  const measured = await measureFile(path);
  const key = await storeFile(ctx, path, extension, { contentType, ...measured });
  const media = { key, contentType, ...measured, width, height, durationMs, source: film.source };
  return { kind: "delivered", media };
}
