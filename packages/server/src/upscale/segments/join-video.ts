import assert from "node:assert";
import { stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Context, MediaContext } from "../../context.ts";
import type { LabelKind, StoredMedia } from "../../db/tables/tasks.ts";
import type { VideoPlan } from "../../db/tables/upscale.ts";
import { permitWaitMsMax } from "../../engine/durable.ts";
import type { FailureCode } from "../../errors.ts";
import type { TaskId } from "../../ids.ts";
import type { LabelFrom } from "../../labels/aigc.ts";
import { posterMarkOf, upscaleLabelOf } from "../../labels/label-from.ts";
import { appendXmp } from "../../labels/label-mp4.ts";
import { requireAigc } from "../../labels/label-video.ts";
import { signOutput, signsOutputs } from "../../labels/sign-output.ts";
import { drawOnVideo } from "../../labels/visible/draw-on-video.ts";
import { storePoster } from "../../media/image/store-poster.ts";
import { inWorkDir } from "../../media/in-work-dir.ts";
import { probeMedia } from "../../media/probe/probe.ts";
import { fetchObject, measureFile, ObjectGone } from "../../media/storage/fetch-object.ts";
import { storeFile } from "../../media/storage/objects.ts";
import { findUpscale, type UpscaleRow } from "../queries.ts";
import { differenceMsMax, faultOfSides, shownMsOf } from "../upscalers/check-result.ts";
import { joinSegments } from "./join-segments.ts";
import { listSegments } from "./queries.ts";

const joinMsMax = 5 * 60_000;
/** The allowance for indexes, beyond the segments and the source's audio. */
const slackBytes = 64 * 1024 * 1024;

export type Joining =
  | { kind: "waiting" }
  | { kind: "delivered"; media: StoredMedia }
  | { kind: "failed"; code: FailureCode }
  | { kind: "over" };

/** Joins the segments when all are done, probes the result and stores it. */
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
  return inWorkDir(ctx, "join-", (dir) => joinIn(ctx, { taskId, upscale, segments: done, dir }));
}

type DoneSegment = { key: string; sizeBytes: number; ticks: number };

interface Work {
  taskId: TaskId;
  upscale: UpscaleRow;
  segments: readonly DoneSegment[];
  dir: string;
}

/** A permit is held while a program runs, not from one program to the next. */
async function joinIn(ctx: MediaContext, work: Work): Promise<Joining> {
  const { taskId, upscale, dir } = work;
  const { accountId: owner, video } = upscale;
  const inTurn = <Result>(run: () => Promise<Result>) =>
    ctx.programs.use({ owner, signal: AbortSignal.timeout(permitWaitMsMax) }, run);
  const labelFrom = upscaleLabelOf(ctx, taskId, video);
  const source = { path: join(dir, "source"), contentType: video.contentType };
  try {
    const unseen = await inTurn(() => joinAll(ctx, work, { source, labelFrom }));
    const facts = await inTurn(() => requireRight(ctx, taskId, { video, path: unseen }));
    if (facts === null) return { kind: "failed", code: "task_broken" };
    const { contentType } = facts;
    // Our own upscaler has drawn it into the segments.
    const joined =
      video.visibleLabel === "draw" && video.by === "vendor"
        ? await inTurn(() =>
            drawOnVideo(ctx, { path: unseen, ...facts, isUsual: true }, { taskId, dir }),
          )
        : unseen;
    if (labelFrom !== null) {
      await inTurn(() => requireAigc(joined, contentType, labelFrom(null).aigc));
      await appendXmp(joined, labelFrom);
    }
    const signs = signsOutputs(ctx.config, contentType);
    const action = video.by === "vendor" ? ("edited" as const) : ("resized" as const);
    const origin = { action, parent: source };
    const path = signs
      ? await signOutput(ctx, { path: joined, contentType }, { taskId, owner, origin })
      : joined;
    const labels: LabelKind[] = [
      ...(video.visibleLabel === undefined ? [] : (["visible"] as const)),
      ...(labelFrom === null ? [] : (["aigc"] as const)),
      ...(signs ? (["c2pa"] as const) : []),
    ];
    return await inTurn(() => keepResult(ctx, { video, path, facts, labelFrom, labels }));
  } catch (error) {
    const isSourceGone =
      error instanceof ObjectGone && (await ctx.storage.locate(upscale.sourceKey)) === null;
    if (isSourceGone) return { kind: "failed", code: "SOURCE_GONE" };
    throw error;
  }
}

/** Fetches the source and the segments, and joins them. */
async function joinAll(
  ctx: Context,
  { upscale: { video, sourceKey }, segments, dir }: Work,
  {
    source,
    labelFrom,
  }: { source: { path: string; contentType: string }; labelFrom: LabelFrom | null },
): Promise<string> {
  await fetchObject(ctx.storage, sourceKey, source.path);
  const local: { path: string; ticks: number }[] = [];
  for (const [index, { key, ticks }] of segments.entries()) {
    const path = join(dir, `segment-${index}`);
    await fetchObject(ctx.storage, key, path);
    local.push({ path, ticks });
  }
  const bytesMax =
    segments.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0) +
    (await stat(source.path)).size +
    slackBytes;
  const hasOwnTimes = video.by === "vendor";
  const secondsMax = video.isTest === true ? shownMsOf(video) / 1000 : null;
  const aigc = labelFrom?.(null).aigc ?? null;
  const parts = { source, video, segments: local, secondsMax, hasOwnTimes, aigc, bytesMax };
  return await joinSegments(parts, { dir, msMax: joinMsMax });
}

interface RightFacts {
  contentType: string;
  extension: string;
  width: number;
  height: number;
  durationMs: number;
  frames: number | null;
}

/** The output is probed before delivery: its resolution and duration must be what was paid for. */
async function requireRight(
  ctx: Context,
  taskId: TaskId,
  { video, path }: { video: VideoPlan; path: string },
): Promise<RightFacts | null> {
  const facts = await probeMedia(path);
  const { width = null, height = null, durationMs = null } = facts ?? {};
  const shownMs = shownMsOf(video);
  if (
    facts !== null &&
    width !== null &&
    height !== null &&
    faultOfSides(video, { width, height }) === null &&
    // The audio may be longer than the video stream.
    durationMs !== null &&
    durationMs > shownMs - differenceMsMax
  ) {
    const { contentType, extension, frames } = facts;
    return { contentType, extension, width, height, durationMs, frames };
  }
  ctx.log.error({ event: "upscale.output_wrong", taskId, facts, shownMs });
  return null;
}

async function keepResult(
  ctx: Context,
  {
    video,
    path,
    facts,
    labelFrom,
    labels,
  }: {
    video: VideoPlan;
    path: string;
    facts: RightFacts;
    labelFrom: LabelFrom | null;
    labels: LabelKind[];
  },
): Promise<Joining> {
  const { contentType, extension, ...shape } = facts;
  const measured = await measureFile(path);
  const output = { path, contentType, durationMs: shape.durationMs };
  const [key, poster] = await Promise.all([
    storeFile(ctx, path, extension, { contentType, ...measured }),
    storePoster(ctx, output, dirname(path), posterMarkOf(labelFrom)),
  ]);
  const stored = { key, contentType, ...measured, ...shape };
  const media = {
    ...stored,
    source: video.source,
    poster,
    storedAt: Date.now(),
    labels,
    labelAgreementId: video.labelAgreementId,
  };
  return { kind: "delivered", media };
}
