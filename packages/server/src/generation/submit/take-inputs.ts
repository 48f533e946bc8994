import { join } from "node:path";
import { findStoredAssets } from "../../assets/queries.ts";
import type { Context, MediaContext } from "../../context.ts";
import type { PinnedInput } from "../../db/tables/tasks.ts";
import { permitWaitMsMax } from "../../engine/durable.ts";
import type { FailureCode } from "../../errors.ts";
import { downloadWithRetries } from "../../media/fetch/download-with-retries.ts";
import { probeMedia } from "../../media/probe/probe.ts";
import { extensionOf } from "../../media/probe/sniff.ts";
import { fetchObject } from "../../media/storage/fetch-object.ts";
import { dropObject, keepObject, storeFile } from "../../media/storage/objects.ts";
import { faultOfMedia } from "../../models/asset-rules.ts";
import { bytesPerMegabyte, type FileInput, fetchedMegabytesMax } from "../../models/file-rules.ts";
import { fileRulesOf, modelOf } from "../../models/model.ts";
import { type MediaRef, mediaOf } from "../../models/request.ts";
import type { OpenTask } from "../../tasks/open-task-queries.ts";
import { saveInputs } from "../../tasks/queries.ts";
import type { VendorImageRules } from "../../vendors/vendor.ts";
import type { ModelsContext } from "../context.ts";
import { fitForVendor, needsFitting } from "./fit-for-vendor.ts";
import { inWorkDir } from "./in-work-dir.ts";

type InputsContext = MediaContext & ModelsContext;

const inputMsMax = 60_000;
/** Longer than any task lives. */
const keptMs = 7 * 24 * 60 * 60 * 1000;

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
/** `null`: the asset's own copy serves. */
type Pinned = { kind: "pinned"; input: PinnedInput | null };

/**
 * The files of a task as stored copies: assets have one; external files are fetched here once, checked
 * against the model's rules and pinned. A file that the vendor does not accept as it is gets converted
 * or scaled, and that copy is pinned. A vendor only sees the copy, so what was checked is what is
 * used. An unusable file fails the task and is named.
 */
export async function takeInputs(
  ctx: InputsContext,
  task: OpenTask,
  imageRules: VendorImageRules | null,
): Promise<{ kind: "taken"; files: TaskFiles } | Failed> {
  const named = mediaOf(task.request);
  const files = new Map<MediaRef, TaskFile>();
  const assetIds = named.flatMap(({ ref }) => ref.asset ?? []);
  const assets = new Map(
    (await findStoredAssets(ctx.db, task.accountId, assetIds)).map((asset) => [
      asset.upstreamAssetId,
      asset,
    ]),
  );
  for (const { param, ref } of named)
    if (ref.asset !== undefined && !assets.has(ref.asset)) return noLonger(param);
  const pinned =
    task.inputs === null
      ? await pinAll(ctx, task, imageRules, assets)
      : { kind: "all" as const, inputs: task.inputs };
  if (pinned.kind === "failed") return pinned;
  for (const { param, ref } of named) {
    const asset = ref.asset === undefined ? undefined : assets.get(ref.asset);
    const copy = pinned.inputs.find((input) => input.param === param);
    files.set(ref, {
      key: copy?.key ?? asset?.storageKey ?? null,
      contentType: copy?.contentType ?? asset?.contentType ?? "application/octet-stream",
      sizeBytes: copy?.sizeBytes ?? asset?.sizeBytes ?? 0,
      vendorAssetId: copy === undefined ? (asset?.vendorAssetId ?? null) : null,
    });
  }
  return { kind: "taken", files };
}

/** Refused, revoked or deleted since the task was accepted. */
function noLonger(param: string): Failed {
  const message = `${param}: the asset is no longer available. Its review did not pass, or it was deleted.`;
  return { kind: "failed", code: "input_unusable", message };
}

async function pinAll(
  ctx: InputsContext,
  task: OpenTask,
  imageRules: VendorImageRules | null,
  assets: ReadonlyMap<string, StoredAsset>,
): Promise<{ kind: "all"; inputs: PinnedInput[] } | Failed> {
  const { taskId, request } = task;
  const inputs: PinnedInput[] = [];
  for (const { input, param, ref } of mediaOf(request)) {
    const entry = { accountId: task.accountId, signal: AbortSignal.timeout(permitWaitMsMax) };
    const taken =
      ref.asset === undefined
        ? await ctx.fetches.use(entry, () =>
            pin(ctx, task, imageRules, { input, param, url: ref.url }),
          )
        : await pinAsset(ctx, task, imageRules, { param, asset: assets.get(ref.asset) });
    if (taken.kind === "failed") {
      ctx.log.warn({ event: "input.unusable", taskId, code: taken.code, reason: taken.message });
      await Promise.all(inputs.map(({ key }) => dropObject(ctx, key)));
      return taken;
    }
    if (taken.input !== null) inputs.push(taken.input);
  }
  if (inputs.length === 0 || (await saveInputs(ctx.db, taskId, inputs)))
    return { kind: "all", inputs };
  throw new Error("the inputs were pinned concurrently: read them again");
}

type StoredAsset = Awaited<ReturnType<typeof findStoredAssets>>[number];

/** A converted copy for the vendor, where it does not accept the asset's own. */
async function pinAsset(
  ctx: MediaContext,
  { accountId }: OpenTask,
  imageRules: VendorImageRules | null,
  { param, asset }: { param: string; asset: StoredAsset | undefined },
): Promise<Pinned> {
  const asItIs: Pinned = { kind: "pinned", input: null };
  if (!asset?.storageKey || asset.contentType === null) return asItIs;
  const { storageKey, contentType, width, height } = asset;
  if (!needsFitting(imageRules, { contentType, width, height })) return asItIs;
  const fit = async (dir: string) => {
    const path = join(dir, "input");
    await fetchObject(ctx.storage, storageKey, path);
    const fitted = await fitForVendor(imageRules, { path, contentType, width, height }, dir);
    return fitted === null ? asItIs : await keep(ctx, param, fitted);
  };
  return ctx.probes.use({ accountId }, () => inWorkDir(ctx, "input-", fit));
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
  return { kind: "pinned", input: { param, key, ...object } };
}

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
    const facts = await ctx.probes.use(task, () => probeMedia(path));
    if (facts === null)
      return failed("input_unusable", "is not a supported file type or is damaged");
    const { sizeBytes, sha256 } = fetched;
    const fault = faultOfMedia(model, task.request.mode, input, { ...facts, sizeBytes });
    if (fault !== null) return failed("input_unusable", fault);
    const { contentType } = facts;
    const fitted = await fitForVendor(imageRules, { path, ...facts }, dir);
    return keep(ctx, param, fitted ?? { path, contentType, sizeBytes, sha256 });
  });
}
