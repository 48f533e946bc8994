import { createHash } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Db } from "../../db/database.ts";
import type { Poster } from "../../db/tables/tasks.ts";
import type { Log } from "../../log.ts";
import { withinMs } from "../../within-ms.ts";
import { extractFrame } from "../probe/extract-frame.ts";
import { usualFrameOf } from "../probe/usual-frames.ts";
import { storeFile } from "../storage/objects.ts";
import type { Storage } from "../storage/storage.ts";
import { makePoster, type PosterImage } from "./make-poster.ts";

/** A finished task waits no longer for its poster. */
const posterMsMax = 30_000;
/** The first frame is often black. */
const frameAtMs = 1_000;
const frameSideMax = 480;
const contentType = "image/webp";

interface World {
  db: Db;
  storage: Storage;
  workDir: string;
}

interface OutputFile {
  path: string;
  contentType: string;
  /** Null for an image. */
  durationMs: number | null;
  /** A video that `measureMp4` has measured, or our own. Others are opened alone. */
  isUsual?: boolean;
}

/**
 * Makes and stores the poster of an output. Null if that fails or takes too long: the output is paid for
 * and needs none. `dir` is a folder of the caller. What is stored is collected unless a task keeps it.
 */
export async function storePoster(
  world: World & { log: Log },
  output: OutputFile,
  dir: string,
): Promise<Poster | null> {
  try {
    return await withinMs(posterMsMax, store(world, output, dir));
  } catch (error) {
    world.log.warn({
      event: "poster.failed",
      contentType: output.contentType,
      reason: String(error),
    });
    return null;
  }
}

async function store(world: World, output: OutputFile, dir: string): Promise<Poster> {
  const posterDir = join(dir, "poster");
  await mkdir(posterDir, { recursive: true });
  const { bytes, thumbhash } = await posterOf(output, posterDir, world.workDir);
  const path = join(posterDir, "poster.webp");
  await writeFile(path, bytes);
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  const key = await storeFile(world, path, "webp", {
    contentType,
    sizeBytes: bytes.length,
    sha256,
  });
  return { key, thumbhash };
}

async function posterOf(output: OutputFile, dir: string, workDir: string): Promise<PosterImage> {
  const { path, contentType, durationMs } = output;
  if (durationMs === null) return makePoster(path);
  const atMs = Math.min(frameAtMs, durationMs / 2);
  if (!output.isUsual)
    return posterOfFrame(await extractFrame(path, contentType, atMs, dir, frameSideMax));
  const video = { path, contentType, atMs, sideMax: frameSideMax, workDir };
  const poster = await posterOfFrame(await usualFrameOf({ ...video, frame: "key" }));
  if (!poster.isBlank) return poster;
  return posterOfFrame(await usualFrameOf({ ...video, frame: "exact" }));
}

function posterOfFrame(frame: Buffer | null): Promise<PosterImage> {
  if (frame === null) throw new Error("there is no frame");
  return makePoster(frame);
}
