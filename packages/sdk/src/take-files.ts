import { ZoetropeError } from "./errors.ts";
import { sleep } from "./sleep.ts";
import { type CallOptions, sendForJson, type Transport } from "./transport.ts";
import type { Asset, AssetType } from "./types.ts";
import { type FileLike, hashOf, isFileLike, uploadFile } from "./upload-file.ts";

const typeOfInput: Readonly<Record<string, AssetType>> = {
  urls: "IMAGE",
  videoUrls: "VIDEO",
  audioUrls: "AUDIO",
};
/** Files whose assets are remembered: the same file is uploaded once. */
const rememberedMax = 1_000;

export type FileMemory = Map<string, Promise<string>>;

/** The inputs with every file replaced by the asset that it was uploaded as. */
export async function takeFiles(
  transport: Transport,
  memory: FileMemory,
  inputs: Record<string, unknown>,
  options: CallOptions,
): Promise<Record<string, unknown>> {
  const taken = await Promise.all(
    Object.entries(inputs).map(async ([name, value]) => {
      const type = typeOfInput[name];
      if (type === undefined || !Array.isArray(value)) return [name, value];
      const urls = value.map((one) =>
        isFileLike(one) ? uploadOnce(transport, memory, one, type, options) : one,
      );
      return [name, await Promise.all(urls)];
    }),
  );
  return Object.fromEntries(taken);
}

async function uploadOnce(
  transport: Transport,
  memory: FileMemory,
  file: FileLike,
  type: AssetType,
  options: CallOptions,
): Promise<string> {
  const key = `${type} ${await hashOf(file)}`;
  const known = memory.get(key);
  if (known !== undefined) return known;
  const uploading = uploadAndReview(transport, file, type, options);
  memory.set(key, uploading);
  uploading.catch(() => memory.delete(key));
  const [oldest] = memory.keys();
  if (memory.size > rememberedMax && oldest !== undefined) memory.delete(oldest);
  return uploading;
}

async function uploadAndReview(
  transport: Transport,
  file: FileLike,
  type: AssetType,
  options: CallOptions,
): Promise<string> {
  const uploaded = await uploadFile(transport, file, { ...options, type });
  const asset = await waitForAsset(transport, uploaded, options);
  if (asset.status === "FAILED")
    throw new ZoetropeError(`The file was refused: ${asset.failReason ?? "no reason was given"}`);
  return `asset://${asset.upstreamAssetId}`;
}

/** Until its review is over. */
export async function waitForAsset(
  transport: Transport,
  given: Asset,
  { signal }: CallOptions,
): Promise<Asset> {
  let asset = given;
  for (
    let delayMs = 500;
    asset.status === "PROCESSING";
    delayMs = Math.min(delayMs * 1.5, 10_000)
  ) {
    await sleep(delayMs, signal);
    asset = await sendForJson<Asset>(transport, {
      method: "GET",
      path: "/api/v1/assets/status",
      query: { assetId: asset.assetId },
      signal,
    });
  }
  return asset;
}
