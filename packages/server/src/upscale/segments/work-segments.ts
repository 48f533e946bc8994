import { randomUUID } from "node:crypto";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { SpanKind } from "@opentelemetry/api";
import type { Context } from "../../context.ts";
import { isUnavailable } from "../../db/database.ts";
import { reasonOf } from "../../db/stuck-rows.ts";
import type { FailureCode } from "../../errors.ts";
import { secondsSince, type TaskId } from "../../ids.ts";
import { createOutage } from "../../log.ts";
import { ConfinementError } from "../../media/probe/confine.ts";
import { ObjectGone } from "../../media/storage/fetch-object.ts";
import { dropObject, storeFile } from "../../media/storage/objects.ts";
import { retryUntil } from "../../tasks/retry-until.ts";
import { inSpan, taskIdAttribute } from "../../tracing/in-span.ts";
import { continueTrace } from "../../tracing/trace-context.ts";
import type { UpscaleContext } from "../context.ts";
import { upscalerOf } from "../upscalers/choose-upscaler.ts";
import type { SegmentResult } from "../upscalers/upscaler.ts";
import { upscalerAccount } from "../validate-source.ts";
import { takeSegment } from "./lease-segment.ts";
import {
  claimSubmit,
  countOpenSegments,
  failSegment,
  isLiveWaiting,
  keepSegment,
  type LeasedSegment,
  recordSubmit,
  returnSegment,
  saveSegment,
} from "./queries.ts";
import { SourceAway } from "./source-cache.ts";

const leaseMs = 15_000;
const keepEveryMs = 2_000;
/** A dead worker counts like a failure of ffmpeg: a segment that kills its workers is given up. */
const triesMax = 6;
const againMs = 2_000;

/**
 * Processes segments until stopped, one per core. Segments are pulled: a busy worker takes none, and a
 * dead one is noticed by its missing heartbeat. Stopping aborts the segments in progress and returns
 * them.
 */
export async function workSegments(
  ctx: UpscaleContext,
  stop: AbortSignal,
  onRound: () => void = () => {},
): Promise<void> {
  const underWay = new Set<Promise<void>>();
  const outage = createOutage(ctx.log, {
    failed: "segments.broken",
    over: "segments.recovered",
    level: "error",
  });
  while (!stop.aborted) {
    await ctx.segmentSignal.wait(ctx.config.upscale.intervalMs, stop);
    try {
      const isBehind = await ctx.fence.isBehind();
      while (!isBehind && underWay.size < ctx.config.upscale.segmentsMax && !stop.aborted) {
        const worker = randomUUID();
        const segment = await takeSegment(ctx, worker, leaseMs);
        if (segment === undefined) break;
        start(segment, worker);
      }
      onRound();
      outage.end();
    } catch (error) {
      outage.note(error);
    }
  }
  await Promise.all(underWay);

  function start(segment: LeasedSegment, worker: string): void {
    const { taskId, number, traceparent } = segment;
    const options = {
      kind: SpanKind.INTERNAL,
      attributes: { [taskIdAttribute]: taskId, "zoetrope.segment": number },
    };
    const work = continueTrace(traceparent, () =>
      inSpan("work segment", options, () => workOn(ctx, segment, worker, stop)),
    )
      .catch((error) => ctx.log.error({ event: "segment.broken", reason: String(error) }))
      .finally(() => {
        underWay.delete(work);
        ctx.segmentSignal.notify();
      });
    underWay.add(work);
  }
}

async function workOn(
  ctx: UpscaleContext,
  segment: LeasedSegment,
  worker: string,
  stop: AbortSignal,
): Promise<void> {
  const { taskId, number } = segment;
  const held = { taskId, number, worker };
  const startedAt = performance.now();
  let framesDone = 0;
  await mkdir(ctx.workDir, { recursive: true });
  const dir = await mkdtemp(join(ctx.workDir, "segment-"));
  const lost = new AbortController();
  const outranked = new AbortController();
  const keeping = keepLease(ctx, segment, held, { framesDone: () => framesDone, lost, outranked });
  // Storage or database unavailable: the finished segment waits here with its lease.
  const isOver = () => stop.aborted || lost.signal.aborted;
  const untilOver = <Result>(what: string, work: () => Promise<Result>) =>
    retryUntil({ log: ctx.log, taskId, what, isOver }, work);
  try {
    if (segment.tries > triesMax)
      return await giveUp(ctx, segment, held, broken("every worker that took it died"));
    const result = await upscalerOf(ctx, segment.video).work(segment, {
      dir,
      signal: AbortSignal.any([stop, lost.signal, outranked.signal]),
      onFrames(frames) {
        framesDone = frames;
      },
      claimSubmit: () => claimOrAbandon(ctx, held, untilOver),
      recordSubmit: (vendorJobId) =>
        untilOver("note the vendor's job", () => recordSubmit(ctx.db, held, vendorJobId)),
    });
    await untilOver("note the segment", () => note(ctx, segment, held, result));
    const durationMs = Math.round(performance.now() - startedAt);
    ctx.metrics.segmentsWorked.add({ outcome: result.kind });
    ctx.log.info({ event: "segment.worked", taskId, number, outcome: result.kind, durationMs });
  } catch (error) {
    if (lost.signal.aborted) return;
    const isInterrupted = stop.aborted || outranked.signal.aborted;
    const isUntried =
      isInterrupted || error instanceof ConfinementError || error instanceof SourceAway;
    if (!isInterrupted) {
      ctx.metrics.segmentsWorked.add({ outcome: "error" });
      const reason = String(error).slice(0, 500);
      ctx.log.warn({ event: "segment.failed", taskId, number, reason });
    }
    if (error instanceof ObjectGone && segment.kind === "upscale")
      await giveUp(ctx, segment, held, {
        code: "SOURCE_GONE",
        reason: "the source was revoked or deleted",
      });
    else if (!isUntried && segment.tries >= triesMax)
      await giveUp(ctx, segment, held, broken(reasonOf(error)));
    else
      await returnSegment(ctx.db, held, {
        againMs: isInterrupted ? 0 : againMs,
        framesDone,
        isUntried,
      });
  } finally {
    clearInterval(keeping);
    await rm(dir, { recursive: true, force: true });
  }
}

/** A claim that may have been made although nothing says so is given back: only we know that nobody calls. */
async function claimOrAbandon(
  { db, fence }: Context,
  held: Held,
  untilOver: (what: string, work: () => Promise<unknown>) => Promise<unknown>,
): Promise<boolean> {
  const known = await fence.known().catch(() => null);
  if (known === null) return false; // storage has not responded since the start: retried later
  try {
    return await claimSubmit(db, held, known);
  } catch (error) {
    if (isUnavailable(error))
      await untilOver("abandon the claim", () => recordSubmit(db, held, null));
    throw error;
  }
}

/**
 * Sends heartbeats with progress; aborts `lost` when the lease is lost, and `outranked` when a segment of
 * a live account waits while this one is a test.
 */
function keepLease(
  ctx: Context,
  segment: LeasedSegment,
  held: Held,
  {
    framesDone,
    lost,
    outranked,
  }: { framesDone(): number; lost: AbortController; outranked: AbortController },
): NodeJS.Timeout {
  let framesReported = 0;
  return setInterval(() => {
    const frames = framesDone();
    keepSegment(ctx.db, held, frames, leaseMs).then(
      (isOurs) => {
        if (!isOurs) return lost.abort();
        if (frames > framesReported) announceProgress(ctx, segment);
        framesReported = frames;
      },
      () => {}, // the database is unavailable: the lease decides
    );
    if (segment.video.isTest)
      isLiveWaiting(ctx.db).then(
        (isWaiting) => isWaiting && outranked.abort(),
        () => {},
      );
  }, keepEveryMs);
}

type Held = { taskId: TaskId; number: number; worker: string };

async function note(
  ctx: Context,
  segment: LeasedSegment,
  held: Held,
  result: SegmentResult,
): Promise<void> {
  switch (result.kind) {
    case "waiting":
      await returnSegment(ctx.db, held, { ...result, isUntried: true });
      if (result.framesDone > 0) announceProgress(ctx, segment);
      break;
    case "failed":
      await giveUp(ctx, segment, held, result);
      break;
    case "done": {
      const { path, sizeBytes, sha256 } = result;
      const facts = { contentType: "video/mp4", sizeBytes, sha256 };
      const key = await storeFile(ctx, path, "mp4", facts);
      if (!(await saveSegment(ctx.db, held, { key, sizeBytes }))) return dropObject(ctx, key);
      announceProgress(ctx, segment);
      await wakeIfDone(ctx, segment);
    }
  }
}

/** Announces the progress of an upscale task. Other tasks do not show theirs. */
function announceProgress(ctx: Context, { kind, taskId, accountId }: LeasedSegment): void {
  if (kind === "upscale") ctx.changes.announce(taskId, accountId);
}

type Failure = { code: FailureCode; reason: string };

function broken(reason: string): Failure {
  return { code: "task_broken", reason };
}

async function giveUp(
  ctx: Context,
  segment: LeasedSegment,
  held: Held,
  { code, reason }: Failure,
): Promise<void> {
  await failSegment(ctx.db, held, { code, reason });
  const { taskId, number } = segment;
  ctx.log.error({ event: "segment.given_up", taskId, number, code, reason });
  ctx.waker.wake(segment.kind, "poll", segment.taskId);
}

/** The last segment wakes the task; the sweep re-sends a lost wake-up. */
async function wakeIfDone(ctx: Context, { taskId, kind }: LeasedSegment): Promise<void> {
  if ((await countOpenSegments(ctx.db, taskId)) > 0) return;
  ctx.metrics.taskVendorEndSeconds.record(secondsSince(taskId), {
    vendor_account: upscalerAccount,
  });
  ctx.waker.wake(kind, "poll", taskId);
}
