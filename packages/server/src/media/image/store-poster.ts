import { createHash } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Db } from "../../db/database.ts";
import type { Poster } from "../../db/tables/tasks.ts";
import { withinMs } from "../../flow/within-ms.ts";
import type { Log } from "../../log.ts";
import { extractFrame } from "../probe/extract-frame.ts";
import { storeFile } from "../storage/objects.ts";
import type { Storage } from "../storage/storage.ts";
import { makePoster, type PosterImage } from "./make-poster.ts";

/** A finished task waits no longer for its poster. */
const posterMsMax = 30_000;
/** The first frame is often black. */
const frameAtMs = 1_000;
const frameSideMax = 480;
const contentType = "image/webp";

interface PosterContext {
  db: Db;
  storage: Storage;
}

interface OutputFile {
  path: string;
  contentType: string;
  /** Null for an image. */
  durationMs: number | null;
}

/** Marks the bytes of a WebP as its output is marked. */
export type MarkPoster = (webp: Buffer) => Buffer;

/**
 * Makes and stores the poster of an output. Returns null if that fails or takes too long: the output is
 * paid for and does not need a poster. `dir` is a folder of the caller. A stored poster is deleted later
 * unless a task keeps it.
 */
export async function storePoster(
  ctx: PosterContext & { log: Log },
  output: OutputFile,
  dir: string,
  mark: MarkPoster,
): Promise<Poster | null> {
  try {
    return await withinMs(posterMsMax, store(ctx, output, dir, mark));
  } catch (error) {
    ctx.log.warn({
      event: "poster.failed",
      contentType: output.contentType,
      reason: String(error),
    });
    return null;
  }
}

async function store(
  ctx: PosterContext,
  output: OutputFile,
  dir: string,
  mark: MarkPoster,
): Promise<Poster> {
  const posterDir = join(dir, "poster");
  await mkdir(posterDir, { recursive: true });
  const { bytes: unmarked, thumbhash, print } = await posterOf(output, posterDir);
  const bytes = mark(unmarked);
  const path = join(posterDir, "poster.webp");
  await writeFile(path, bytes);
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  const key = await storeFile(ctx, path, "webp", {
    contentType,
    sizeBytes: bytes.length,
    sha256,
  });
  return { key, thumbhash, print };
}

/** The key frame before the first second, or that second itself if the key frame is of one colour. */
async function posterOf(
  { path, contentType, durationMs }: OutputFile,
  dir: string,
): Promise<PosterImage> {
  if (durationMs === null) return makePoster(path);
  const atMs = Math.min(frameAtMs, durationMs / 2);
  const posterAt = async (frame: "exact" | "key") => {
    const image = await extractFrame(path, contentType, atMs, dir, {
      sideMax: frameSideMax,
      frame,
    });
    return image === null ? null : makePoster(image);
  };
  const key = await posterAt("key");
  const poster = key === null || key.isBlank ? await posterAt("exact") : key;
  if (poster === null) throw new Error("there is no frame");
  return poster;
}
