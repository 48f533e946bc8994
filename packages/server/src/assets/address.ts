import { mediaPath, mediaUrl } from "../media/storage/media-url.ts";
import { isObjectKey } from "../media/storage/storage.ts";

/** The path under which assets are served. */
export const assetsPath = `${mediaPath}/assets`;
const addressPattern = /^[0-9a-f]{40}$/;

export function isAddress(text: string): boolean {
  return addressPattern.test(text);
}

/** Earlier releases published the storage key of the copy; such URLs remain valid. */
export function pathOfAsset(address: string): string {
  return isObjectKey(address) ? address : `assets/${address}`;
}

export function storageUrlOf(publicUrl: string, address: string) {
  return mediaUrl(publicUrl, pathOfAsset(address));
}

/** Returns the object that a storageUrl refers to; null if it is not a URL of this service. */
export function readStorageUrl(
  publicUrl: string,
  url: string,
): { by: "address" | "storage_key"; value: string } | null {
  const last = url.slice(url.lastIndexOf("/") + 1);
  if (isAddress(last) && url === storageUrlOf(publicUrl, last))
    return { by: "address", value: last };
  if (isObjectKey(last) && url === mediaUrl(publicUrl, last))
    return { by: "storage_key", value: last };
  return null;
}
