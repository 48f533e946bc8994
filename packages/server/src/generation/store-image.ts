import { dirname } from "node:path";
import type { MediaContext } from "../context.ts";
import type { Poster, StoredMedia } from "../db/tables/tasks.ts";
import type { FailureCode } from "../errors.ts";
import { storePoster } from "../media/image/store-poster.ts";
import { probeMedia } from "../media/probe/probe.ts";
import { measureFile } from "../media/storage/fetch-object.ts";
import { storeFile } from "../media/storage/objects.ts";
import type { OpenTask } from "../tasks/open-task-queries.ts";
import { failSubmit, recordSubmission, saveDelivered } from "../tasks/submit-queries.ts";
import { untilDeadline } from "./submit/until-deadline.ts";

const posterWaitMsMax = 5_000;

type Stored = { kind: "delivered"; media: StoredMedia } | { kind: "failed"; code: FailureCode };

/** Probes and stores the image of a vendor's response. It exists nowhere else. */
export async function storeImage(
  ctx: MediaContext,
  task: OpenTask,
  { path, startedAt }: { path: string; startedAt: Date },
): Promise<Stored> {
  const { taskId } = task;
  const image = await ctx.programs.use(task, () => probeMedia(path));
  if (image?.type !== "IMAGE" || image.width === null || image.height === null) {
    ctx.log.warn({ event: "media.unusable", taskId, reason: "not an image" });
    const code = "output_unusable";
    await untilDeadline(ctx, task, "note the answer", async () => {
      await recordSubmission(ctx.db, { taskId, startedAt, outcome: "delivered" });
      await failSubmit(ctx.db, { taskId, startedAt, code });
    });
    return { kind: "failed", code };
  }
  const { width, height, contentType, extension } = image;
  const facts = { contentType, ...(await measureFile(path)) };
  const [key, poster] = await Promise.all([
    untilDeadline(ctx, task, "store the result", () => storeFile(ctx, path, extension, facts)),
    posterOf(ctx, task, { path, contentType, durationMs: null }),
  ]);
  const storedAt = Date.now();
  const media = { key, ...facts, width, height, durationMs: null, poster, storedAt };
  const pollMs = ctx.config.tasks.pollFirstMs;
  await untilDeadline(ctx, task, "note the result", () =>
    saveDelivered(ctx.pool, { taskId, startedAt, media, pollMs }),
  );
  return { kind: "delivered", media };
}

/** A paid image does not wait for a processor that its poster needs. */
function posterOf(
  ctx: MediaContext,
  { accountId }: OpenTask,
  image: { path: string; contentType: string; durationMs: null },
): Promise<Poster | null> {
  const entry = { accountId, signal: AbortSignal.timeout(posterWaitMsMax) };
  const store = () => storePoster(ctx, image, dirname(image.path));
  return ctx.programs.use(entry, store).catch(() => null);
}
