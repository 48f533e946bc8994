import assert from "node:assert";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { createSemaphore } from "../../flow/semaphore.ts";
import type { Log } from "../../log.ts";
import { ImageError } from "../../media/image/decode.ts";
import { extractFrame } from "../../media/probe/extract-frame.ts";
import { fetchObject } from "../../media/storage/fetch-object.ts";
import type { Storage } from "../../media/storage/storage.ts";
import type { AssetRow } from "../queries.ts";
import { type Judge, loadReviewer } from "./automatic/load-reviewer.ts";
import { type Pixels, readPixels } from "./automatic/read-pixels.ts";
import { type Scores, type Thresholds, verdictOf, worstOf } from "./automatic/scores.ts";
import type { Reviewer, Verdict } from "./reviewer.ts";

const framesMax = 5;
const waitingMax = 16;
const attemptsMax = 2;

export interface AutomaticReviewer extends Reviewer {
  close(): Promise<void>;
}

/**
 * Classifies images and some frames of videos with the models of the reviewer package. It decides
 * little: sexual content is refused; a face and all audio are left to the next reviewer.
 */
export function createAutomaticReviewer(tools: {
  storage: Storage;
  workDir: string;
  log: Log;
  limits: Thresholds;
}): AutomaticReviewer {
  const { storage, workDir, log, limits } = tools;
  let judge: Promise<Judge> | null = null; // loaded with the first image
  const semaphore = createSemaphore({ permitsMax: 1 }); // a file on disk, and one thread that judges
  let open = 0;
  let isClosed = false;

  async function scoresOf(pixels: Pixels, attempt = 1): Promise<Scores | null> {
    try {
      assert(!isClosed, "the reviewer is closed");
      judge ??= loadReviewer().then(({ createJudge }) => createJudge());
      return await (await judge).judge(pixels);
    } catch (error) {
      if (isClosed) throw error; // that says nothing about the image: another process is asked again
      const reason = error instanceof Error ? error.message : String(error);
      log.error({ event: "asset.unjudged", attempt, reason });
      return attempt < attemptsMax ? scoresOf(pixels, attempt + 1) : null;
    }
  }

  async function classify(asset: AssetRow, storageKey: string): Promise<Verdict> {
    const what = asset.type === "VIDEO" ? "video" : "image";
    const startedAt = performance.now();
    const views = await viewsOf({ storage, workDir }, asset, storageKey);
    const unjudged = `The ${what} could not be classified automatically.`;
    if (views.length === 0) return { kind: "unable", reason: unjudged };
    const scores: Scores[] = [];
    for (const view of views) {
      const seen = await scoresOf(view);
      if (seen === null) return { kind: "unable", reason: unjudged };
      scores.push(seen);
    }
    const worst = worstOf(scores);
    const elapsedMs = Math.round(performance.now() - startedAt);
    log.info({
      event: "asset.judged",
      assetId: asset.id,
      views: views.length,
      ...worst,
      elapsedMs,
    });
    return { ...verdictOf(what, worst, limits), scores: worst };
  }

  return {
    async review(asset) {
      if (asset.type === "AUDIO")
        return { kind: "unable", reason: "Audio is not classified automatically." };
      const { storage_key: storageKey } = asset;
      if (storageKey === null || open >= waitingMax) return { kind: "waiting" };
      open += 1;
      try {
        return await semaphore.use({ owner: asset.account_id }, () => classify(asset, storageKey));
      } finally {
        open -= 1;
      }
    },
    async close() {
      isClosed = true;
      await (await judge)?.close();
    },
  };
}

/**
 * Returns the views of a file that are classified. Returns nothing if it cannot be decoded: the next
 * reviewer decides. The file is never in memory, whatever its size.
 */
async function viewsOf(
  { storage, workDir }: { storage: Storage; workDir: string },
  asset: AssetRow,
  storageKey: string,
): Promise<Pixels[]> {
  await mkdir(workDir, { recursive: true });
  const dir = await mkdtemp(join(workDir, "review-"));
  try {
    const path = join(dir, "file");
    await fetchObject(storage, storageKey, path);
    const isImage = asset.type === "IMAGE" && asset.content_type !== "image/bmp";
    return isImage ? await pixelsOf(path) : await framesOf(asset, path, join(dir, "out"));
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

/** Returns frames from the middle of each fifth of the video. */
async function framesOf(asset: AssetRow, path: string, outputDir: string): Promise<Pixels[]> {
  const { content_type: contentType, duration_ms: durationMs } = asset;
  assert(contentType !== null, "a stored asset has a content type");
  await mkdir(outputDir);
  const times =
    durationMs === null
      ? [null]
      : Array.from({ length: framesMax }, (_, i) => ((i + 0.5) / framesMax) * durationMs);
  const views: Pixels[] = [];
  for (const atMs of times) {
    const frame = await extractFrame(path, contentType, atMs, outputDir);
    const seen = frame === null ? [] : await pixelsOf(frame);
    if (seen.length === 0) return []; // a video of which a frame is missing counts as not classified
    views.push(...seen);
  }
  return views;
}

async function pixelsOf(image: Buffer | string): Promise<Pixels[]> {
  try {
    return await readPixels(image);
  } catch (error) {
    if (error instanceof ImageError) return [];
    throw error; // of this machine: it says nothing about the image
  }
}
