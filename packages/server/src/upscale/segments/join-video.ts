import assert from "node:assert";
import { mkdir, mkdtemp, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Context, MediaContext } from "../../context.ts";
import type { StoredMedia } from "../../db/tables/tasks.ts";
import type { VideoPlan } from "../../db/tables/upscale.ts";
import { permitWaitMsMax } from "../../engine/durable.ts";
import type { FailureCode } from "../../errors.ts";
import type { TaskId } from "../../ids.ts";
import { storePoster } from "../../media/image/store-poster.ts";
import { probeMedia } from "../../media/probe/probe.ts";
import { fetchObject, measureFile } from "../../media/storage/fetch-object.ts";
import { storeFile } from "../../media/storage/objects.ts";
import { findUpscale, type UpscaleRow } from "../queries.ts";
import { differenceMsMax, faultOfSides, shownMsOf } from "../upscalers/check-result.ts";
import { joinSegments } from "./join-segments.ts";
import { listSegments } from "./queries.ts";

const joinMsMax = 5 * 60_000;
/** Beyond the segments and the source's audio: indexes. */
const slackBytes = 64 * 1024 * 1024;

export type Joining =
  | { kind: "waiting" }
  | { kind: "delivered"; media: StoredMedia }
  | { kind: "failed"; code: FailureCode }
  | { kind: "over" };

/** When all segments are done: joins them, probes the result and stores it. */
export async function joinVideo(ctx: MediaContext, taskId: TaskId): Promise<Joining> {
  const upscale = await findUpscale(ctx.db, taskId);
  if (upscale === undefined) return { kind: "over" };
  const segments = await listSegments(ctx.db, taskId);
  const failed = segments.find(({ failure }) => failure !== null);
  if (failed !== undefined) return { kind: "failed", code: failed.failureCode ?? "task_broken" };
  const done = segments.flatMap(({ objectKey: key, sizeBytes, plan }) => {
    if (key === null) return [];
    assert(sizeBytes !== null, "a stored segment has a size");
    return [{ key, sizeBytes, ticks: plan.to - plan.from }];
  });
  if (done.length < segments.length) return { kind: "waiting" };
  const entry = { accountId: upscale.accountId, signal: AbortSignal.timeout(permitWaitMsMax) };
  return ctx.programs.use(entry, () => joinAll(ctx, taskId, upscale, done));
}

type DoneSegment = { key: string; sizeBytes: number; ticks: number };

async function joinAll(
  ctx: Context,
  taskId: TaskId,
  upscale: UpscaleRow,
  segments: readonly DoneSegment[],
): Promise<Joining> {
  const { video, sourceKey } = upscale;
  await mkdir(ctx.workDir, { recursive: true });
  const dir = await mkdtemp(join(ctx.workDir, "join-"));
  try {
    const source = { path: join(dir, "source"), contentType: video.contentType };
    await fetchObject(ctx.storage, sourceKey, source.path);
    const local: { path: string; ticks: number }[] = [];
    for (const [place, { key, ticks }] of segments.entries()) {
      const path = join(dir, `segment-${place}`);
      await fetchObject(ctx.storage, key, path);
      local.push({ path, ticks });
    }
    const bytesMax =
      segments.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0) +
      (await stat(source.path)).size +
      slackBytes;
    const hasOwnTimes = video.by === "vendor";
    const parts = { source, video, segments: local, hasOwnTimes, bytesMax };
    const path = await joinSegments(parts, { dir, msMax: joinMsMax });
    return await keepResult(ctx, taskId, video, path);
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

/** The output is probed before delivery: its resolution and duration must be what was paid for. */
async function keepResult(
  ctx: Context,
  taskId: TaskId,
  video: VideoPlan,
  path: string,
): Promise<Joining> {
  const facts = await probeMedia(path);
  const { width = null, height = null, durationMs = null } = facts ?? {};
  const shownMs = shownMsOf(video);
  const isRight =
    width !== null &&
    height !== null &&
    faultOfSides(video, { width, height }) === null &&
    // The audio may be longer than the video stream.
    durationMs !== null &&
    durationMs > shownMs - differenceMsMax;
  if (facts === null || !isRight) {
    ctx.log.error({ event: "upscale.output_wrong", taskId, facts, shownMs });
    return { kind: "failed", code: "task_broken" };
  }
  const { contentType, extension } = facts;
  const measured = await measureFile(path);
  const [key, poster] = await Promise.all([
    storeFile(ctx, path, extension, { contentType, ...measured }),
    storePoster(ctx, { path, contentType, durationMs, isUsual: true }, dirname(path)),
  ]);
  const shape = { contentType, ...measured, width, height, durationMs };
  const media = { key, ...shape, source: video.source, poster, storedAt: Date.now() };
  return { kind: "delivered", media };
}
