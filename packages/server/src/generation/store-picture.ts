import { createHash } from "node:crypto";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { Context } from "../context.ts";
import type { StoredMedia } from "../db/schema.ts";
import type { FailureCode } from "../errors.ts";
import { storeFile } from "../media/objects.ts";
import { probeMedia } from "../media/probe.ts";
import type { ObjectFacts } from "../media/storage.ts";

type Stored = { kind: "delivered"; media: StoredMedia } | { kind: "failed"; code: FailureCode };

const putTriesMax = 6;
const putPauseMs = 500; // doubles

/** Measures the picture that a vendor answered with and stores it. It exists nowhere else. */
export async function storePicture(ctx: Context, taskId: string, bytes: Buffer): Promise<Stored> {
  await mkdir(ctx.workDir, { recursive: true });
  const dir = await mkdtemp(join(ctx.workDir, "picture-"));
  try {
    const path = join(dir, "picture");
    await writeFile(path, bytes);
    const picture = await ctx.mediaSlots.use(() => probeMedia(path));
    if (picture?.type !== "IMAGE" || picture.width === null || picture.height === null) {
      ctx.log.warn({ event: "media.unusable", taskId, reason: "not a picture" });
      return { kind: "failed", code: "output_unusable" };
    }
    const { width, height, contentType, extension } = picture;
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    const facts = { contentType, sizeBytes: bytes.length, sha256 };
    const key = await putPatiently(ctx, path, extension, facts);
    return { kind: "delivered", media: { key, ...facts, width, height, durationMs: null } };
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

/** Here and not by the engine's retries: those would begin with a submit that is already spent. */
async function putPatiently(
  ctx: Context,
  path: string,
  extension: string,
  facts: ObjectFacts,
): Promise<string> {
  for (let tries = 1; ; tries++) {
    try {
      return await storeFile(ctx, path, extension, facts);
    } catch (error) {
      if (tries === putTriesMax) throw error;
      ctx.log.warn({ event: "storage.failed", tries, reason: String(error) });
      await pause(putPauseMs * 2 ** (tries - 1));
    }
  }
}
