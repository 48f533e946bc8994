import { randomUUID } from "node:crypto";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Context } from "../context.ts";
import { reasonOf } from "../db/stuck-rows.ts";
import type { FailureCode } from "../errors.ts";
import { ConfinementError } from "../media/confine.ts";
import { ObjectGone } from "../media/fetch-object.ts";
import { dropObject, storeFile } from "../media/objects.ts";
import { persist } from "../persist.ts";
import { upscalerOf } from "./choose-upscaler.ts";
import {
  claimAsk,
  countOpenPieces,
  failPiece,
  keepPiece,
  noteAsk,
  returnPiece,
  savePiece,
  type TakenPiece,
} from "./queries.ts";
import { SourceAway } from "./source-cache.ts";
import { takeSegment } from "./take-segment.ts";
import type { PieceResult } from "./upscaler.ts";

const leaseMs = 15_000;
const keepEveryMs = 2_000;
/** Workers that die, and ffmpeg failing, count alike: a piece that ends its workers is given up. */
const triesMax = 6;
const againMs = 2_000;

/**
 * Works on pieces until told to stop, so many at once as this worker has cores. Pieces are pulled,
 * not pushed: a worker that is busy takes none, and one that dies is noticed by its silence.
 * Stopping ends the work under way and gives it back.
 */
export async function workPieces(
  ctx: Context,
  stop: AbortSignal,
  onTurn: () => void = () => {},
): Promise<void> {
  const underWay = new Set<Promise<void>>();
  while (!stop.aborted) {
    await ctx.pieceBell.wait(ctx.config.PIECE_INTERVAL_MS, stop);
    try {
      while (underWay.size < ctx.config.UPSCALE_PIECES_MAX && !stop.aborted) {
        const worker = randomUUID();
        const piece = await takeSegment(ctx, worker, leaseMs);
        if (piece === undefined) break;
        begin(piece, worker);
      }
      onTurn();
    } catch (error) {
      ctx.log.error({ event: "pieces.broken", reason: String(error) });
    }
  }
  await Promise.all(underWay);

  function begin(piece: TakenPiece, worker: string): void {
    const work = workOn(ctx, piece, worker, stop)
      .catch((error) => ctx.log.error({ event: "piece.broken", reason: String(error) }))
      .finally(() => {
        underWay.delete(work);
        ctx.pieceBell.ring();
      });
    underWay.add(work);
  }
}

async function workOn(
  ctx: Context,
  piece: TakenPiece,
  worker: string,
  stop: AbortSignal,
): Promise<void> {
  const { taskId, number } = piece;
  const held = { taskId, number, worker };
  const startedAt = performance.now();
  let framesDone = 0;
  await mkdir(ctx.workDir, { recursive: true });
  const dir = await mkdtemp(join(ctx.workDir, "piece-"));
  const lost = new AbortController();
  const keeping = keepLease(ctx, piece, held, { framesDone: () => framesDone, lost });
  // Storage or database away: what is done waits here, and its lease is kept.
  const isOver = () => stop.aborted || lost.signal.aborted;
  const persistently = <Result>(what: string, work: () => Promise<Result>) =>
    persist({ log: ctx.log, taskId, what, isOver }, work);
  try {
    if (piece.tries > triesMax) return await giveUp(ctx, piece, held, broken("its workers died"));
    const result = await upscalerOf(ctx, piece.film).work(piece, {
      dir,
      signal: AbortSignal.any([stop, lost.signal]),
      onFrames(frames) {
        framesDone = frames;
      },
      claimAsk: () => claimAsk(ctx.db, held),
      noteAsk: (vendorJobId) =>
        persistently("note the vendor's job", () => noteAsk(ctx.db, held, vendorJobId)),
    });
    await persistently("note the piece", () => note(ctx, piece, held, result));
    const durationMs = Math.round(performance.now() - startedAt);
    ctx.log.info({ event: "piece.worked", taskId, number, outcome: result.kind, durationMs });
  } catch (error) {
    if (lost.signal.aborted) return;
    const isUntried =
      stop.aborted || error instanceof ConfinementError || error instanceof SourceAway;
    if (!stop.aborted)
      ctx.log.warn({ event: "piece.failed", taskId, number, reason: String(error).slice(0, 500) });
    if (error instanceof ObjectGone && piece.kind === "upscale")
      await giveUp(ctx, piece, held, { code: "INVALID_URL", reason: "the source was revoked" });
    else if (!isUntried && piece.tries >= triesMax)
      await giveUp(ctx, piece, held, broken(reasonOf(error)));
    else
      await returnPiece(ctx.db, held, {
        againMs: stop.aborted ? 0 : againMs,
        framesDone,
        isUntried,
      });
  } finally {
    clearInterval(keeping);
    await rm(dir, { recursive: true, force: true });
  }
}

/** Says that the worker lives and how far it is; aborts `lost` when the piece is no longer its own. */
function keepLease(
  ctx: Context,
  piece: TakenPiece,
  held: Held,
  { framesDone, lost }: { framesDone(): number; lost: AbortController },
): NodeJS.Timeout {
  let framesTold = 0;
  return setInterval(() => {
    const frames = framesDone();
    keepPiece(ctx.db, held, frames, leaseMs).then(
      (isOurs) => {
        if (!isOurs) return lost.abort();
        if (frames > framesTold) announceProgress(ctx, piece);
        framesTold = frames;
      },
      () => {}, // the database is away: the lease decides
    );
  }, keepEveryMs);
}

type Held = { taskId: string; number: number; worker: string };

async function note(
  ctx: Context,
  piece: TakenPiece,
  held: Held,
  result: PieceResult,
): Promise<void> {
  switch (result.kind) {
    case "waiting":
      await returnPiece(ctx.db, held, { ...result, isUntried: true });
      if (result.framesDone > 0) announceProgress(ctx, piece);
      break;
    case "failed":
      await giveUp(ctx, piece, held, result);
      break;
    case "done": {
      const { path, sizeBytes, sha256 } = result;
      const facts = { contentType: "video/mp4", sizeBytes, sha256 };
      const key = await storeFile(ctx, path, "mp4", facts);
      if (!(await savePiece(ctx.db, held, { key, sizeBytes }))) return dropObject(ctx, key);
      announceProgress(ctx, piece);
      await wakeIfDone(ctx, piece);
    }
  }
}

/** Only an upscale shows how far it is. */
function announceProgress(ctx: Context, { kind, taskId }: TakenPiece): void {
  if (kind === "upscale") ctx.changes.announce(taskId);
}

type Failure = { code: FailureCode; reason: string };

function broken(reason: string): Failure {
  return { code: "task_broken", reason };
}

async function giveUp(
  ctx: Context,
  piece: TakenPiece,
  held: Held,
  { code, reason }: Failure,
): Promise<void> {
  await failPiece(ctx.db, held, { code, reason });
  const { taskId, number } = piece;
  ctx.log.error({ event: "piece.given_up", taskId, number, code, reason });
  ctx.waker.wake(piece.kind, "look", piece.taskId);
}

/** The last one to finish says so; if that is lost, the watcher says it again. */
async function wakeIfDone(ctx: Context, { taskId, kind }: TakenPiece): Promise<void> {
  if ((await countOpenPieces(ctx.db, taskId)) === 0) ctx.waker.wake(kind, "look", taskId);
}
