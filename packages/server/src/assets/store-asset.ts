import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import type { MediaContext } from "../context.ts";
import type { AssetFault } from "../db/tables/assets.ts";
import { permitWaitMsMax } from "../engine/durable.ts";
import type { AssetId } from "../ids.ts";
import { download } from "../media/fetch/download.ts";
import { FetchRefused } from "../media/fetch/safe-fetch.ts";
import { faultOfProbe, probeFile } from "../media/probe/probe.ts";
import { fetchObject, measureFile } from "../media/storage/fetch-object.ts";
import { dropObject, keepObject, storeFile } from "../media/storage/objects.ts";
import { newPrivateKey } from "../media/storage/storage.ts";
import { findOutput, readOutputNames } from "../tasks/find-outputs.ts";
import { admitWaitingAssets } from "./admit-waiting-assets.ts";
import { storeForm } from "./declarations/store-form.ts";
import { type AssetRow, findAsset } from "./queries.ts";
import { fileBytesMax } from "./schema.ts";
import { failUnstored, saveCopy } from "./settle-queries.ts";
import { joinChunks, removeChunks } from "./uploads/join-chunks.ts";

const fetchMsMax = 5 * 60_000;
const fullReason = "The storage of this account is full. Delete assets and upload the file again.";
const goneReason = "The output no longer exists: it was deleted, or it has expired.";

/**
 * Fetches the file of an asset once, or joins its uploaded chunks, probes it and stores a copy. From
 * then on the copy is the asset, whatever the URL serves later. An unusable file fails the asset;
 * transient failures throw and are retried.
 */
export async function storeAsset(ctx: MediaContext, assetId: AssetId): Promise<void> {
  const asset = await findAsset(ctx.db, assetId);
  if (asset === undefined || asset.status !== "PROCESSING" || asset.storage_key !== null) return;
  const entry = { owner: asset.account_id, signal: AbortSignal.timeout(permitWaitMsMax) };
  const fault = await ctx.fetches.use(entry, async () => {
    const reason = await storeForm(ctx, asset);
    return reason === null ? copyOf(ctx, asset) : unusable(reason);
  });
  if (fault !== null) {
    ctx.log.warn({ event: "asset.unusable", assetId, ...fault });
    await failUnstored(ctx.db, assetId, fault);
  }
  if (asset.upload_id !== null) await removeChunks(ctx, asset.upload_id);
  await admitWaitingAssets(ctx, asset.account_id);
}

/** `reason` is a sentence for the owner. */
interface Fault {
  code: AssetFault;
  reason: string;
}

/** Returns the fault of the file, or null if the copy is stored. */
async function copyOf(ctx: MediaContext, asset: AssetRow): Promise<Fault | null> {
  await mkdir(ctx.workDir, { recursive: true });
  const dir = await mkdtemp(join(ctx.workDir, "asset-"));
  try {
    const path = join(dir, "file");
    const file = await bytesOf(ctx, asset, path);
    if (file.kind === "refused") return { code: "unreachable", reason: file.reason };
    const entry = { owner: asset.account_id };
    const probe = await ctx.probes.use(entry, () => probeFile(path));
    if (probe.kind !== "facts") return unusable(`The file ${faultOfProbe(probe)}.`);
    const { facts } = probe;
    if (facts.type !== asset.type)
      return unusable(`The file is of type ${facts.type}, but was uploaded as ${asset.type}.`);
    const { sizeBytes, sha256 } = file;
    const object = { contentType: facts.contentType, sizeBytes, sha256 };
    const key = newPrivateKey(facts.extension);
    const storageKey = await storeFile(ctx, path, facts.extension, object, key);
    await keepObject(ctx.db, storageKey, null);
    const copy = { storageKey, sizeBytes, sha256, facts };
    const outcome = await saveCopy(ctx.db, asset.id, copy, ctx.config.library);
    if (outcome !== "saved") await dropObject(ctx, storageKey);
    return outcome === "full" ? { code: "storage_limit", reason: fullReason } : null;
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

/** Writes the file to `path`: from its chunks, from the storage if it is an output, or from its URL. */
async function bytesOf(ctx: MediaContext, asset: AssetRow, path: string) {
  if (asset.upload_id !== null) return joinChunks(ctx, asset.upload_id, path);
  const [output = null] = await readOutputNames(ctx, [asset.url]);
  if (output === null) return fetchFile(ctx, asset, path);
  const media = output === "gone" ? undefined : await findOutput(ctx.db, asset.account_id, output);
  if (media === undefined) return { kind: "refused" as const, reason: goneReason };
  await fetchObject(ctx.storage, media.key, path); // one that is deleted meanwhile is gone at the next try
  return { kind: "done" as const, ...(await measureFile(path)) };
}

function unusable(reason: string): Fault {
  return { code: "unusable", reason };
}

/**
 * A host that does not respond is retried for a while; then the asset fails, since the URL is its
 * owner's.
 */
async function fetchFile(ctx: MediaContext, asset: AssetRow, path: string) {
  const { url, created_at: createdAt, turn_at: admittedAt, account_id: accountId } = asset;
  const since = admittedAt ?? createdAt;
  const limits = {
    sizeBytesMax: fileBytesMax,
    totalMsMax: fetchMsMax,
    isRateRising: true as const,
    pace: ctx.paces.of(accountId),
  };
  const fetched = await download(ctx.safeFetch, new URL(url).href, path, limits).catch((error) => {
    if (error instanceof FetchRefused) return { kind: "refused" as const, reason: error.message };
    if (Date.now() - since.getTime() < ctx.config.engine.stepRetryMsMax) throw error;
    return { kind: "refused" as const, reason: "the connection failed" };
  });
  if (fetched.kind === "done") return fetched;
  const reason = `The file could not be fetched: ${fetched.reason}.`;
  return { kind: "refused" as const, reason };
}
