import { orAbort, sleep } from "./abort.ts";
import { get } from "./calls.ts";
import { FileError, NotFoundError } from "./errors.ts";
import { type FileLike, hashOf, isFileLike, toBlob, webUrlOf } from "./read-file.ts";
import type { CallOptions, Signalled, Transport } from "./transport.ts";
import type { Asset, AssetType } from "./types.ts";
import { type Interrupted, uploadFile } from "./upload-file.ts";

const typeOfInput: Readonly<Record<string, AssetType>> = {
  urls: "IMAGE",
  videoUrls: "VIDEO",
  audioUrls: "AUDIO",
};
/** Files whose assets are remembered: the same file is uploaded once. */
const rememberedMax = 1_000;
/** Growing, so that a minute of waiting takes five requests. */
const reviewDelaysMs = [500, 1_250, 3_000, 8_000, 20_000];
const reviewDelayMsMax = 30_000;

/** What a client knows of the files that it uploaded. */
export interface FileMemory {
  assets: Map<string, Promise<Asset>>;
  interrupted: Interrupted;
}

/** The inputs with every file replaced by the asset that it was uploaded as. */
export async function takeFiles(
  transport: Transport,
  memory: FileMemory,
  inputs: Record<string, unknown>,
  options: Signalled,
): Promise<Record<string, unknown>> {
  const takeOne = async (one: unknown, type: AssetType): Promise<unknown> => {
    if (!isFileLike(one)) return one;
    const url = webUrlOf(one);
    if (url !== null) return url;
    const uploaded = await uploadOnce(transport, memory, one, type, options);
    const asset = await waitForAsset(transport, uploaded, options);
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
      return [name, await Promise.all(value.map((one) => takeOne(one, type)))];
    }),
  );
  return Object.fromEntries(taken);
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
  if (hash === null) return upload();
  const { assets } = memory;
  const name = `${type} ${hash}`;
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

/** Until its review is over. */
export async function waitForAsset(
  transport: Transport,
  given: Asset,
  { signal }: Signalled,
): Promise<Asset> {
  let asset = given;
  for (let tries = 0; asset.status === "PROCESSING"; tries++) {
    await sleep(reviewDelaysMs[tries] ?? reviewDelayMsMax, signal);
    asset = await readAsset(transport, asset.assetId, { signal });
  }
  return asset;
}
