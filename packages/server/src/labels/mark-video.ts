import { createReadStream, createWriteStream } from "node:fs";
import { stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import type { MediaContext } from "../context.ts";
import type { LabelKind } from "../db/tables/tasks.ts";
import { permitWaitMsMax } from "../engine/durable.ts";
import type { TaskId } from "../ids.ts";
import { measureFile } from "../media/storage/fetch-object.ts";
import type { LabelFrom } from "./aigc.ts";
import { hasManifest, type Labelling, labelMp4 } from "./label-mp4.ts";
import { labelVideo } from "./label-video.ts";
import { signOutput, signsOutputs } from "./sign-output.ts";
import { drawOnVideo } from "./visible/draw-on-video.ts";
import type { VisibleLabel } from "./visible-policy.ts";

export interface MarkedFile {
  path: string;
  sizeBytes: number;
  sha256: string;
  labels: LabelKind[];
}

/** A video as it was fetched, and whether it was labelled on its way. */
export interface FetchedVideo {
  path: string;
  contentType: string;
  sizeBytes: number;
  sha256: string;
  width: number;
  height: number;
  /** Whether it has the usual form of a vendor's MP4. */
  isUsual: boolean;
  /** Null: nothing tried to. */
  labelling: Labelling | null;
}

interface Order {
  taskId: TaskId;
  owner: string;
  labelFrom: LabelFrom | null;
  /** Who shows the viewer that a model made it. */
  visible: VisibleLabel["kind"];
}

/**
 * Gives a video of a vendor the marks of the deployment. Where it signs, a manifest of the vendor's becomes the
 * parent of ours, from its untouched bytes; elsewhere a file that is signed stays as it is, unless the visible
 * label is drawn into it. That comes first: the implicit label and the signature are of what is delivered.
 */
export async function markVideo(
  ctx: MediaContext,
  video: FetchedVideo,
  order: Order,
): Promise<MarkedFile> {
  const { taskId, owner, visible } = order;
  if (visible !== "ours") {
    const shown: LabelKind[] = visible === "vendor's" ? ["visible"] : [];
    const { labels, ...file } = await markFile(ctx, video, video, order);
    return { ...file, labels: [...shown, ...labels] };
  }
  const entry = { owner, signal: AbortSignal.timeout(permitWaitMsMax) };
  const draw = () => drawOnVideo(ctx, video, { taskId, dir: dirname(video.path) });
  const path = await ctx.programs.use(entry, draw);
  const drawn = { ...video, path, ...(await measureFile(path)), labelling: null };
  const { labels, ...file } = await markFile(ctx, drawn, video, order);
  return { ...file, labels: ["visible", ...labels] };
}

/** `original`: the bytes of the vendor, which are the parent where they are signed. */
async function markFile(
  ctx: MediaContext,
  video: FetchedVideo,
  original: FetchedVideo,
  { taskId, owner, labelFrom }: Order,
): Promise<MarkedFile> {
  const { path, contentType, sizeBytes, sha256, labelling } = video;
  if (labelFrom === null) return { path, sizeBytes, sha256, labels: [] };
  if (labelling?.kind === "labelled") return { path, sizeBytes, sha256, labels: ["aigc"] };
  if (labelling?.kind === "signed") return { path, sizeBytes, sha256, labels: ["c2pa"] };
  const signs = signsOutputs(ctx.config, contentType);
  const labelled = await labelledCopy(ctx, video, { taskId, owner, labelFrom });
  if (!signs)
    return { path: labelled.path, ...(await measureFile(labelled.path)), labels: ["aigc"] };
  const isParent = video === original ? labelled.hasManifest : await hasManifest(original.path);
  const parent = isParent ? { path: original.path, contentType } : null;
  const signed = await signOutput(
    ctx,
    { path: labelled.path, contentType },
    { taskId, owner, origin: { action: "created", parent } },
  );
  return { path: signed, ...(await measureFile(signed)), labels: ["aigc", "c2pa"] };
}

async function labelledCopy(
  ctx: MediaContext,
  { path, contentType, labelling }: FetchedVideo,
  { taskId, owner, labelFrom }: Pick<Order, "taskId" | "owner"> & { labelFrom: LabelFrom },
): Promise<{ path: string; hasManifest: boolean }> {
  const copy = join(dirname(path), "labelled");
  const labeller = labelMp4(labelFrom, { keepsSigned: false });
  // What was tried on its way has an unusual form.
  if (labelling === null) {
    await pipeline(createReadStream(path), labeller.stream, createWriteStream(copy));
    const { kind } = labeller.result();
    if (kind === "labelled") return { path: copy, hasManifest: labeller.hasManifest() };
  }
  const result = labelling ?? labeller.result();
  const reason = "reason" in result ? result.reason : result.kind;
  ctx.log.info({ event: "labels.unusual_form", taskId, reason });
  const { size: sizeBytes } = await stat(path);
  const entry = { owner, signal: AbortSignal.timeout(permitWaitMsMax) };
  const label = () => labelVideo({ path, contentType, sizeBytes }, labelFrom, dirname(path));
  const labelled = await ctx.programs.use(entry, label);
  return { path: labelled.path, hasManifest: labeller.hasManifest() };
}
