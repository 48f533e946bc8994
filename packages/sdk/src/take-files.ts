import { orAbort, sleep } from "./abort.ts";
import { get } from "./calls.ts";
import { FileError, NotFoundError } from "./errors.ts";
import { nameOfMade } from "./made.ts";
import { type FileLike, hashOf, isFileLike, toBlob, webUrlOf } from "./read-file.ts";
import { type CallOptions, type Signalled, sendForJson, type Transport } from "./transport.ts";
import type { Asset, AssetType } from "./types.ts";
import { type Interrupted, uploadFile } from "./upload-file.ts";

const typeOfInput: Readonly<Record<string, AssetType>> = {
  urls: "IMAGE",
  videoUrls: "VIDEO",
  audioUrls: "AUDIO",
};
/** Files whose assets are remembered: the same file is uploaded once. */
const rememberedMax = 1_000;
/** While it is stored, which takes seconds. */
const storeDelaysMs = [250, 250, 500, 1_000, 2_000, 4_000, 8_000];
/** Growing, so that a minute of waiting takes five requests. */
const reviewDelaysMs = [500, 1_250, 3_000, 8_000, 20_000];
const reviewDelayMsMax = 30_000;

export const notBegun = { taskId: null, progress: 0 } as const;

/** The files that a client uploaded. */
export interface FileMemory {
  assets: Map<string, Promise<Asset>>;
  interrupted: Interrupted;
}

/** The progress of a file before its task is created. */
export interface FileProgress {
  phase: "upload" | "review";
  status: "UPLOADING" | "REVIEWING";
  /** Such as `urls[0]`. */
  input: string;
  /** Null while it is uploaded. */
  assetId: number | null;
  taskId: null;
  /** The progress of the task. */
  progress: 0;
}

/** A state of the task, or what happens to a file before. */
export type Progress<Task> = (Task & { phase: "task" }) | FileProgress;

/** The state that an asset must have reached: stored, reviewed, or such that a model takes it. */
export type AssetReadiness = "stored" | "reviewed" | { usableBy: string };

export interface TakeOptions extends Signalled {
  until: AssetReadiness;
  onFileProgress?: ((progress: FileProgress) => void) | undefined;
}

/**
 * The inputs with every file replaced by the asset that it was uploaded as, and what tasks made by its
 * name. A video that a task made is saved to the library first.
 */
export async function takeFiles(
  transport: Transport,
  memory: FileMemory,
  inputs: Record<string, unknown>,
  options: TakeOptions,
): Promise<Record<string, unknown>> {
  const takeOne = async (one: unknown, input: string, type: AssetType): Promise<unknown> => {
    const isFile = isFileLike(one);
    const url = isFile ? webUrlOf(one) : nameOfMade(one);
    const isSaved = type === "VIDEO" && !isFile && url !== null; // such an input takes assets only
    if (!isSaved && (url !== null || !isFile)) return requireUrl(url ?? one, input);
    const { until, signal, onFileProgress } = options;
    onFileProgress?.({ phase: "upload", status: "UPLOADING", input, assetId: null, ...notBegun });
    const uploaded = isFile
      ? await uploadOnce(transport, memory, one, type, options)
      : await saveOnce(transport, memory, url ?? "", type, options);
    const asset = await waitForAsset(transport, uploaded, {
      until,
      signal,
      onWait: ({ assetId }) =>
        onFileProgress?.({ phase: "review", status: "REVIEWING", input, assetId, ...notBegun }),
    });
    if (asset.status === "FAILED")
      throw new FileError(`The file was refused: ${asset.failReason ?? "no reason was given."}`, {
        code: "file_refused",
      });
    return `asset://${asset.upstreamAssetId}`;
  };
  const taken = await Promise.all(
    Object.entries(inputs).map(async ([name, value]) => {
      const type = typeOfInput[name];
      if (type === undefined || !Array.isArray(value)) return [name, value];
      const files = value.map((one, at) => takeOne(one, `${name}[${at}]`, type));
      return [name, await Promise.all(files)];
    }),
  );
  return Object.fromEntries(taken);
}

/** Throws for a path that was meant as a file: the service would call it a wrong URL. */
function requireUrl(one: unknown, input: string): unknown {
  if (typeof one !== "string" || /^[a-z][a-z0-9+.-]+:/i.test(one)) return one;
  const message = `${input} is neither a URL nor a file. For a file on this machine, give pathToFileURL("…").`;
  throw new FileError(message, { code: "not_a_url" });
}

/** The asset of a file, uploaded unless this client has done so already and it is still there. */
export async function uploadOnce(
  transport: Transport,
  memory: FileMemory,
  file: FileLike,
  type: AssetType,
  { signal }: Signalled,
): Promise<Asset> {
  const blob = await toBlob(file, signal);
  const hash = await hashOf(blob, signal);
  const upload = () => uploadFile(transport, memory.interrupted, blob, { type, signal });
  return hash === null ? upload() : once(transport, memory, `${type} ${hash}`, upload, signal);
}

/** Saves an output of a task, which the service has already. It is one asset, however often it is saved. */
function saveOnce(
  transport: Transport,
  memory: FileMemory,
  url: string,
  type: AssetType,
  { signal }: Signalled,
): Promise<Asset> {
  const body = { url, type };
  const path = "/api/v1/assets/upload";
  const call = { method: "POST" as const, path, body, isRead: true, signal };
  const save = () => sendForJson<Asset>(transport, call);
  return once(transport, memory, `${type} ${url}`, save, signal);
}

async function once(
  transport: Transport,
  { assets }: FileMemory,
  name: string,
  upload: () => Promise<Asset>,
  signal: AbortSignal | undefined,
): Promise<Asset> {
  for (let known = assets.get(name); known !== undefined; known = assets.get(name)) {
    const asset = await orAbort(signal, known).catch(() => null); // another call's failure is not this one's
    signal?.throwIfAborted();
    const current = asset === null ? null : await findAsset(transport, asset.assetId, signal);
    if (current !== null) return current;
    if (assets.get(name) === known) assets.delete(name);
  }
  const uploading = upload();
  assets.set(name, uploading);
  uploading.catch(() => {
    if (assets.get(name) === uploading) assets.delete(name);
  });
  const [oldest] = assets.keys();
  if (assets.size > rememberedMax && oldest !== undefined) assets.delete(oldest);
  return uploading;
}

async function findAsset(
  transport: Transport,
  assetId: number,
  signal: AbortSignal | undefined,
): Promise<Asset | null> {
  try {
    return await readAsset(transport, assetId, { signal });
  } catch (error) {
    if (error instanceof NotFoundError) return null;
    throw error;
  }
}

export function readAsset(
  transport: Transport,
  assetId: number | string,
  options: CallOptions,
): Promise<Asset> {
  return get(transport, "/api/v1/assets/status", { assetId }, options);
}

/** Until its review is over, or it can be used: a model that needs no review takes what is stored. */
export async function waitForAsset(
  transport: Transport,
  uploaded: Asset,
  { until, signal, onWait }: Signalled & { until: AssetReadiness; onWait?: (asset: Asset) => void },
): Promise<Asset> {
  let asset = uploaded;
  for (let tries = 0; !isReady(asset, until); tries++) {
    if (asset.size !== null) onWait?.(asset);
    const delaysMs = asset.size === null ? storeDelaysMs : reviewDelaysMs;
    await sleep(delaysMs[tries] ?? reviewDelayMsMax, signal);
    asset = await readAsset(transport, asset.assetId, { signal });
  }
  return asset;
}

function isReady({ status, size, usableAfterReview }: Asset, until: AssetReadiness): boolean {
  if (status !== "PROCESSING") return true;
  if (size === null || until === "reviewed") return false;
  // A file that a model does not take at all is not waited for: the service says why.
  return until === "stored" || !usableAfterReview.includes(until.usableBy);
}
