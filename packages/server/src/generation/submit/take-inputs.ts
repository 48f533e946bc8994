import { createReadStream } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { findStoredAssets } from "../../assets/queries.ts";
import type { Context, MediaContext } from "../../context.ts";
import type { PinnedInput } from "../../db/tables/tasks.ts";
import { permitWaitMsMax } from "../../engine/durable.ts";
import type { FailureCode } from "../../errors.ts";
import { downloadWithRetries } from "../../media/fetch/download-with-retries.ts";
import { fitImage, upscaleImage } from "../../media/image/fit-image.ts";
import { inWorkDir } from "../../media/in-work-dir.ts";
import { extractFrame } from "../../media/probe/extract-frame.ts";
import { faultOfProbe, probeFile } from "../../media/probe/probe.ts";
import { extensionOf } from "../../media/probe/sniff.ts";
import { fetchObject, measureFile } from "../../media/storage/fetch-object.ts";
import {
  dropObject,
  keepObject,
  keepObjectsUntil,
  storeFile,
} from "../../media/storage/objects.ts";
import { faultOfMedia } from "../../models/asset-rules.ts";
import { bytesPerMegabyte, type FileInput, fetchedMegabytesMax } from "../../models/file-rules.ts";
import { textOf } from "../../models/inputs-of.ts";
import { fileRulesOf, modelOf } from "../../models/model.ts";
import { type MediaRef, mediaOf, outputsOf } from "../../models/request.ts";
import { findOutputs } from "../../tasks/find-outputs.ts";
import type { OpenTask } from "../../tasks/open-task-queries.ts";
import { saveInputs } from "../../tasks/queries.ts";
import type { VendorImageRules } from "../../vendors/vendor.ts";
import type { ModelsContext } from "../context.ts";

type InputsContext = MediaContext & ModelsContext;

const inputMsMax = 60_000;
/** Longer than any task lives. */
const keptMs = 7 * 24 * 60 * 60 * 1000;
/**
 * The maximum side of a converted image. Two fifths of it are whole pixels, so that an aspect ratio of 2.5
 * stays one.
 */
const sidePixelsMax = 4_000;

/** The location of a task's file, for a vendor. */
interface TaskFile {
  key: string | null;
  contentType: string;
  sizeBytes: number;
  /** Its id in the library of the vendor that reviewed it. */
  vendorAssetId: string | null;
}

export type TaskFiles = ReadonlyMap<MediaRef, TaskFile>;
type Failed = { kind: "failed"; code: FailureCode; message: string };
/** No inputs: the stored files themselves serve. */
type Pinned = { kind: "pinned"; inputs: PinnedInput[] };

/**
 * Returns the files of a task as stored copies: assets and outputs are stored; external files are fetched
 * here once, checked against the model's rules and pinned. A file that the vendor does not accept as it is
 * gets converted or scaled, and that copy is pinned. A vendor only sees the copy, so what was checked is
 * what is used. An unusable file fails the task and is named.
 */
export async function takeInputs(
  ctx: InputsContext,
  task: OpenTask,
  imageRules: VendorImageRules | null,
): Promise<{ kind: "taken"; files: TaskFiles } | Failed> {
  const named = mediaOf(task.request);
  const files = new Map<MediaRef, TaskFile>();
  const stored = await findStoredFiles(ctx, task);
  for (const { param, ref } of named)
    if (ref.url === undefined && !stored.has(textOf(ref))) return noLonger(param, ref);
  const pinned: Pinned | Failed =
    task.inputs === null
      ? await pinAll(ctx, task, imageRules, stored)
      : { kind: "pinned", inputs: task.inputs };
  if (pinned.kind === "failed") return pinned;
  for (const { param, ref } of named) {
    const file = stored.get(textOf(ref));
    const copy = pinned.inputs.find((input) => input.param === param);
    files.set(ref, {
      key: copy?.key ?? file?.storageKey ?? null,
      contentType: copy?.contentType ?? file?.contentType ?? "application/octet-stream",
      sizeBytes: copy?.sizeBytes ?? file?.sizeBytes ?? 0,
      vendorAssetId: copy === undefined ? (file?.vendorAssetId ?? null) : null,
    });
  }
  return { kind: "taken", files };
}

type StoredFile = Omit<Awaited<ReturnType<typeof findStoredAssets>>[number], "upstreamAssetId">;
/** The stored files by the names that the request uses. */
type StoredFiles = ReadonlyMap<string, StoredFile>;

/** The assets and outputs that a task names. The outputs are kept for as long as it may need them. */
async function findStoredFiles({ db }: Context, task: OpenTask): Promise<StoredFiles> {
  const refs = mediaOf(task.request).map(({ ref }) => ref);
  const assetIds = refs.flatMap(({ asset }) => asset ?? []);
  const assets = await findStoredAssets(db, task.accountId, assetIds);
  const outputs = await findOutputs(db, task.accountId, outputsOf(refs));
  const keys = [...outputs.values()].map(({ key }) => key);
  await keepObjectsUntil(db, keys, task.deadlineAt);
  return new Map<string, StoredFile>([
    ...assets.map(({ upstreamAssetId: asset, ...file }) => [textOf({ asset }), file] as const),
    ...[...outputs].map(([name, { key: storageKey, contentType, width, height, sizeBytes }]) => {
      const file = { storageKey, vendorAssetId: null, contentType, width, height, sizeBytes };
      return [name, file] as const;
    }),
  ]);
}

/** Refused, revoked, deleted or expired since the task was accepted. */
function noLonger(param: string, { task }: MediaRef): Failed {
  const why =
    task === undefined
      ? "the asset is no longer available. Its review did not pass, or it was deleted."
      : "the output is no longer available. It was deleted, or it has expired.";
  return { kind: "failed", code: "input_unusable", message: `${param}: ${why}` };
}

async function pinAll(
  ctx: InputsContext,
  task: OpenTask,
  imageRules: VendorImageRules | null,
  stored: StoredFiles,
): Promise<Pinned | Failed> {
  const { taskId, request } = task;
  const inputs: PinnedInput[] = [];
  for (const { input, param, ref } of mediaOf(request)) {
    const entry = { owner: task.accountId, signal: AbortSignal.timeout(permitWaitMsMax) };
    const pinned =
      ref.url !== undefined
        ? await ctx.fetches.use(entry, () =>
            pin(ctx, task, imageRules, { input, param, url: ref.url }),
          )
        : await pinStored(ctx, task, imageRules, { param, file: stored.get(textOf(ref)) });
    if (pinned.kind === "failed") {
      ctx.log.warn({ event: "input.unusable", taskId, code: pinned.code, reason: pinned.message });
      await Promise.all(inputs.map(({ key }) => dropObject(ctx, key)));
      return pinned;
    }
    inputs.push(...pinned.inputs);
  }
  if (inputs.length === 0 || (await saveInputs(ctx.db, taskId, inputs)))
    return { kind: "pinned", inputs };
  throw new Error("the inputs were pinned concurrently: read them again");
}

/** Pins a converted copy for the vendor, where it does not accept the stored file. */
async function pinStored(
  ctx: MediaContext,
  { accountId }: OpenTask,
  imageRules: VendorImageRules | null,
  { param, file }: { param: string; file: StoredFile | undefined },
): Promise<Pinned> {
  const asItIs: Pinned = { kind: "pinned", inputs: [] };
  if (!file?.storageKey || file.contentType === null) return asItIs;
  const { storageKey, contentType, width, height } = file;
  if (!needsFitting(imageRules, { contentType, width, height })) return asItIs;
  const fit = async (dir: string) => {
    const path = join(dir, "input");
    await fetchObject(ctx.storage, storageKey, path);
    const fitted = await fitForVendor(imageRules, { path, contentType, width, height }, dir);
    return fitted === null ? asItIs : await keep(ctx, param, fitted);
  };
  return ctx.probes.use({ owner: accountId }, () => inWorkDir(ctx, "input-", fit));
}

interface LocalFile {
  path: string;
  contentType: string;
  sizeBytes: number;
  sha256: string;
}

async function keep(ctx: Context, param: string, file: LocalFile): Promise<Pinned> {
  const { path, ...object } = file;
  const key = await storeFile(ctx, path, extensionOf(object.contentType), object);
  await keepObject(ctx.db, key, keptMs);
  return { kind: "pinned", inputs: [{ param, key, ...object }] };
}

/** Fetches an external file, checks it and pins it. */
async function pin(
  ctx: InputsContext,
  task: OpenTask,
  imageRules: VendorImageRules | null,
  file: { input: FileInput; param: string; url: string },
): Promise<Pinned | Failed> {
  const { input, param, url } = file;
  const model = modelOf(ctx.models, task.request);
  const failed = (code: FailureCode, fault: string): Failed => ({
    kind: "failed",
    code,
    message: `${param}: ${fault}.`,
  });
  return inWorkDir(ctx, "input-", async (dir) => {
    const path = join(dir, "input");
    const { sizeMegabytesMax = fetchedMegabytesMax } = fileRulesOf(model, task.request.mode, input);
    const limits = {
      sizeBytesMax: sizeMegabytesMax * bytesPerMegabyte,
      totalMsMax: inputMsMax,
      pace: ctx.paces.of(task.accountId),
    };
    const fetched = await downloadWithRetries(ctx.safeFetch, url, path, limits);
    if (fetched.kind === "refused")
      return fetched.isTooLarge
        ? failed("input_unusable", `must be at most ${sizeMegabytesMax} MB; this file is larger`)
        : failed("input_unreachable", `could not be fetched: ${fetched.reason}`);
    const probe = await ctx.probes.use({ owner: task.accountId }, () => probeFile(path));
    if (probe.kind !== "facts") return failed("input_unusable", faultOfProbe(probe));
    const { facts } = probe;
    const { sizeBytes, sha256 } = fetched;
    const fault = faultOfMedia(model, task.request.mode, input, { ...facts, sizeBytes });
    if (fault !== null) return failed("input_unusable", fault.en);
    const { contentType } = facts;
    const fitted = await fitForVendor(imageRules, { path, ...facts }, dir);
    return keep(ctx, param, fitted ?? { path, contentType, sizeBytes, sha256 });
  });
}

interface LocalImage {
  path: string;
  contentType: string;
  width: number | null;
  height: number | null;
}

/** Whether a vendor with these rules would refuse an image that the model takes. */
function needsFitting(
  rules: VendorImageRules | null,
  image: Omit<LocalImage, "path">,
): rules is VendorImageRules {
  return rules !== null && image.contentType.startsWith("image/") && !isTaken(rules, image);
}

/**
 * Returns a copy of an image that a vendor with these rules takes, converted or scaled in `dir`; null if it
 * takes the image itself. An image that passed the model's own rules can always be converted.
 */
async function fitForVendor(rules: VendorImageRules | null, image: LocalImage, dir: string) {
  if (!needsFitting(rules, image)) return null;
  const decoded =
    image.contentType === "image/bmp"
      ? await extractFrame(image.path, image.contentType, null, dir, { sideMax: sidePixelsMax })
      : await readFile(image.path);
  if (decoded === null) throw new Error("a probed image cannot be decoded");
  const large = isLargeEnough(rules, image)
    ? decoded
    : await upscaleImage(decoded, rules.shortSidePixelsMin);
  const fitted = await fitImage(large, rules.sizeBytesMax);
  if (fitted.kind === "fault") throw new Error(`the image cannot be converted: ${fitted.fault}`);
  const path = join(dir, "fitted");
  await writeFile(path, fitted.kind === "file" ? createReadStream(fitted.path) : fitted.bytes);
  const { contentType } = fitted;
  return { path, contentType, ...(await measureFile(path)) };
}

function isTaken(rules: VendorImageRules, image: Omit<LocalImage, "path">): boolean {
  const isKnown = rules.formats.some((name) => image.contentType === `image/${name}`);
  return isKnown && isLargeEnough(rules, image);
}

function isLargeEnough(
  { shortSidePixelsMin }: VendorImageRules,
  { width, height }: Pick<LocalImage, "width" | "height">,
): boolean {
  return Math.min(width ?? 0, height ?? 0) >= shortSidePixelsMin;
}
