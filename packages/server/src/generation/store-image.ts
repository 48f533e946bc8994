import { readFile, rename, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import type { MediaContext } from "../context.ts";
import type { LabelKind, Poster, Used } from "../db/tables/tasks.ts";
import type { LabelFrom } from "../labels/aigc.ts";
import { labelFromOf, posterMarkOf } from "../labels/label-from.ts";
import { hasManifest, labelImage } from "../labels/label-image.ts";
import { Unusual } from "../labels/mp4-boxes.ts";
import { signOutput, signsOutputs } from "../labels/sign-output.ts";
import { agreementOf, findVisibleDuty, type VisibleDuty } from "../labels/visible-policy.ts";
import { drawOnImage } from "../media/image/draw-label.ts";
import { type MarkPoster, storePoster } from "../media/image/store-poster.ts";
import { type MediaFacts, probeMedia } from "../media/probe/probe.ts";
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
  used: Used | null = null,
): Promise<StepResult> {
  const { taskId } = task;
  const image = await ctx.programs.use({ owner: task.accountId }, () => probeMedia(path));
  const labelFrom = labelFromOf(ctx, taskId);
  const mark = (file: ImageFile) =>
    untilDeadline(ctx, task, "mark the output", async () => {
      const duty = await findVisibleDuty(ctx, task);
      return { duty, labels: await markFile(ctx, task, file, labelFrom, duty) };
    });
  const file = image === null ? null : imageFileOf(path, image);
  const marked = file === null ? null : await mark(file);
  const labels = marked?.labels ?? null;
  if (labels === null || marked === null || file === null || image === null) {
    ctx.log.warn({ event: "media.unusable", taskId, reason: "not an image that can be labelled" });
    const record = () => transition(ctx, "unusable", { submit, used });
    await untilDeadline(ctx, task, "record the response", record);
    return { kind: "failed", code: "output_unusable" };
  }
  const { width, height, contentType } = file;
  const { extension } = image;
  const facts = { contentType, ...(await measureFile(path)) };
  const [key, poster] = await Promise.all([
    untilDeadline(ctx, task, "store the output", () => storeFile(ctx, path, extension, facts)),
    posterOf(ctx, task, { path, contentType, durationMs: null }, posterMarkOf(labelFrom)),
  ]);
  const storedAt = Date.now();
  const media = {
    key,
    ...facts,
    width,
    height,
    durationMs: null,
    poster,
    storedAt,
    labels,
    labelAgreementId: agreementOf(marked.duty),
  };
  const record = () => transition(ctx, "delivered", { submit, media, used });
  await untilDeadline(ctx, task, "record the output", record);
  return { kind: "delivered", media };
}

interface ImageFile {
  path: string;
  contentType: string;
  width: number;
  height: number;
}

function imageFileOf(path: string, facts: MediaFacts): ImageFile | null {
  const { type, contentType, width, height } = facts;
  if (type !== "IMAGE" || width === null || height === null) return null;
  return { path, contentType, width, height };
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
  image: ImageFile,
  labelFrom: LabelFrom | null,
  duty: VisibleDuty,
): Promise<LabelKind[] | null> {
  if (labelFrom === null) return [];
  const { path, contentType } = image;
  const original = await readFile(path);
  const isSigned = hasManifest(original, contentType);
  const signs = signsOutputs(ctx.config, contentType);
  const isDrawn = duty.kind === "due";
  if (isSigned && !signs && !isDrawn) return ["c2pa"];
  const owner = task.accountId;
  const bytes = isDrawn
    ? await ctx.programs.use({ owner }, () => drawOnImage(original, image))
    : original;
  const shown: LabelKind[] = isDrawn ? ["visible"] : [];
  const labelled = `${path}.labelled`;
  try {
    await writeFile(labelled, labelImage(bytes, contentType, labelFrom));
  } catch (error) {
    if (error instanceof Unusual) return null;
    throw error;
  }
  if (!signs) {
    await rename(labelled, path);
    return [...shown, "aigc"];
  }
  const { taskId } = task;
  const origin = { action: "created" as const, parent: isSigned ? image : null };
  const input = { path: labelled, contentType };
  await rename(await signOutput(ctx, input, { taskId, owner, origin }), path);
  return [...shown, "aigc", "c2pa"];
}
