import type { MediaContext } from "../context.ts";
import type { StoredMedia } from "../db/tables/tasks.ts";
import type { FailureCode } from "../errors.ts";
import { probeMedia } from "../media/probe/probe.ts";
import { measureFile } from "../media/storage/fetch-object.ts";
import { storeFile } from "../media/storage/objects.ts";
import type { OpenTask } from "../tasks/queries.ts";
import { failSubmit, recordSubmission, saveDelivered } from "../tasks/submit-queries.ts";
import { untilDeadline } from "./submit/until-deadline.ts";

type Stored = { kind: "delivered"; media: StoredMedia } | { kind: "failed"; code: FailureCode };

/** Probes and stores the image of a vendor's response. It exists nowhere else. */
export async function storeImage(
  ctx: MediaContext,
  task: OpenTask,
  { path, startedAt }: { path: string; startedAt: Date },
): Promise<Stored> {
  const { taskId } = task;
  const image = await ctx.collects.use(task, () => probeMedia(path));
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
  const key = await untilDeadline(ctx, task, "store the result", () =>
    storeFile(ctx, path, extension, facts),
  );
  const media = { key, ...facts, width, height, durationMs: null };
  const pollMs = ctx.config.tasks.pollFirstMs;
  await untilDeadline(ctx, task, "note the result", () =>
    saveDelivered(ctx.pool, { taskId, startedAt, media, pollMs }),
  );
  return { kind: "delivered", media };
}
