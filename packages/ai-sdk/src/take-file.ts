import { type Asset, FileError, type FileLike, type Zoetrope } from "@zoetrope/sdk";

type GivenFile =
  | { type: "file"; mediaType: string; data: string | Uint8Array }
  | { type: "url"; url: string };

/** Videos at web addresses whose assets are remembered: a repeated call names the same asset. */
const rememberedMax = 1_000;

export type VideoMemory = Map<string, string>;

/** Bytes stay bytes: the SDK uploads them, the same file once. */
export function takeFile(file: GivenFile): string | FileLike {
  if (file.type === "url") return file.url;
  const bytes = toBytes(file.data);
  return new Blob([bytes as Uint8Array<ArrayBuffer>], { type: file.mediaType });
}

export function toBytes(data: string | Uint8Array): Uint8Array {
  if (typeof data !== "string") return data;
  return Uint8Array.from(atob(data), (char) => char.charCodeAt(0));
}

/** A reference video: the service takes only assets, so that one at a web address becomes an asset first. */
export async function takeVideo(
  client: Zoetrope,
  memory: VideoMemory,
  file: GivenFile,
  { modelId, signal }: { modelId: string; signal: AbortSignal | undefined },
): Promise<string | FileLike> {
  if (file.type === "file" || file.url.startsWith("asset:")) return takeFile(file);
  const known = memory.get(file.url);
  if (known !== undefined) return known;
  const taken = await fetchAsset(client, file.url, modelId, signal);
  memory.set(file.url, taken);
  const [oldest] = memory.keys();
  if (memory.size > rememberedMax && oldest !== undefined) memory.delete(oldest);
  return taken;
}

async function fetchAsset(
  client: Zoetrope,
  url: string,
  modelId: string,
  signal: AbortSignal | undefined,
): Promise<string> {
  const { assetId } = await client.assets.fetchUrl(url, "VIDEO", { signal });
  const asset = await client.assets.wait(assetId, { until: { usableBy: modelId }, signal });
  if (asset.status === "FAILED") throw refusedFile(asset);
  return `asset://${asset.upstreamAssetId}`;
}

export function refusedFile({ failReason }: Asset): FileError {
  const message = `The file was refused: ${failReason ?? "no reason was given."}`;
  return new FileError(message, { code: "file_refused" });
}
