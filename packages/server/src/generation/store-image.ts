import { readFile, rename, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import type { MediaContext } from "../context.ts";
import type { LabelKind, Poster } from "../db/tables/tasks.ts";
import type { LabelFrom } from "../labels/aigc.ts";
import { labelFromOf, posterMarkOf } from "../labels/label-from.ts";
import { hasManifest, labelImage } from "../labels/label-image.ts";
import { Unusual } from "../labels/mp4-boxes.ts";
import { signOutput, signsOutputs } from "../labels/sign-output.ts";
import { type MarkPoster, storePoster } from "../media/image/store-poster.ts";
import { probeMedia } from "../media/probe/probe.ts";
import { measureFile } from "../media/storage/fetch-object.ts";
import { storeFile } from "../media/storage/objects.ts";
import type { OpenTask } from "../tasks/open-task-queries.ts";
import { untilDeadline } from "../tasks/retry-until.ts";
import { type StepResult, type Submit, transition } from "./transition.ts";

const posterWaitMsMax = 5_000;

/** Probes and stores the image of a vendor's response. It exists nowhere else. */
export async function storeImage(
  ctx: MediaContext,
  task: OpenTask,
  submit: Submit,
  path: string,
): Promise<StepResult> {
  const { taskId } = task;
  const image = await ctx.programs.use({ owner: task.accountId }, () => probeMedia(path));
  const labelFrom = labelFromOf(ctx, taskId);
  const mark = (contentType: string) =>
    untilDeadline(ctx, task, "mark the output", () =>
      markFile(ctx, task, { path, contentType }, labelFrom),
    );
  const labels = image?.type === "IMAGE" ? await mark(image.contentType) : null;
  if (labels === null || image === null || image.width === null || image.height === null) {
    ctx.log.warn({ event: "media.unusable", taskId, reason: "not an image that can be labelled" });
    const record = () => transition(ctx, "unusable", { submit });
    await untilDeadline(ctx, task, "record the response", record);
    return { kind: "failed", code: "output_unusable" };
  }
  const { width, height, contentType, extension } = image;
  const facts = { contentType, ...(await measureFile(path)) };
  const [key, poster] = await Promise.all([
    untilDeadline(ctx, task, "store the output", () => storeFile(ctx, path, extension, facts)),
    posterOf(ctx, task, { path, contentType, durationMs: null }, posterMarkOf(labelFrom)),
  ]);
  const storedAt = Date.now();
  const media = { key, ...facts, width, height, durationMs: null, poster, storedAt, labels };
  const record = () => transition(ctx, "delivered", { submit, media });
  await untilDeadline(ctx, task, "record the output", record);
  return { kind: "delivered", media };
}

/** A paid image does not wait for a processor that its poster needs. */
function posterOf(
  ctx: MediaContext,
  { accountId }: OpenTask,
  image: { path: string; contentType: string; durationMs: null },
  mark: MarkPoster,
): Promise<Poster | null> {
  const entry = { owner: accountId, signal: AbortSignal.timeout(posterWaitMsMax) };
  const store = () => storePoster(ctx, image, dirname(image.path), mark);
  return ctx.programs.use(entry, store).catch(() => null);
}

/** Marks an image in its place, whole or not at all: there is no other copy. Null if it carries no label. */
async function markFile(
  ctx: MediaContext,
  task: OpenTask,
  image: { path: string; contentType: string },
  labelFrom: LabelFrom | null,
): Promise<LabelKind[] | null> {
  if (labelFrom === null) return [];
  const { path, contentType } = image;
  const bytes = await readFile(path);
  const isSigned = hasManifest(bytes, contentType);
  const signs = signsOutputs(ctx.config, contentType);
  if (isSigned && !signs) return ["c2pa"];
  const labelled = `${path}.labelled`;
  try {
    await writeFile(labelled, labelImage(bytes, contentType, labelFrom));
  } catch (error) {
    if (error instanceof Unusual) return null;
    throw error;
  }
  if (!signs) {
    await rename(labelled, path);
    return ["aigc"];
  }
  const { taskId, accountId: owner } = task;
  const origin = { action: "created" as const, parent: isSigned ? image : null };
  const input = { path: labelled, contentType };
  await rename(await signOutput(ctx, input, { taskId, owner, origin }), path);
  return ["aigc", "c2pa"];
}
