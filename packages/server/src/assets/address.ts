import { mediaPath, mediaUrl } from "../media/storage/media-url.ts";
import { isObjectKey } from "../media/storage/storage.ts";

/** Where assets are served, below the service's own address. */
export const assetsPath = `${mediaPath}/assets`;
const addressPattern = /^[0-9a-f]{40}$/;

export function isAddress(text: string): boolean {
  return addressPattern.test(text);
}

/** Earlier releases published the key of the copy itself; such an address stays. */
export function pathOfAsset(address: string): string {
  return isObjectKey(address) ? address : `assets/${address}`;
}

export function storageUrlOf(publicUrl: string, address: string) {
  return mediaUrl(publicUrl, pathOfAsset(address));
}

/** What a storageUrl names, or null when it is none of ours. */
export function readStorageUrl(
  publicUrl: string,
  url: string,
): { address: string } | { storageKey: string } | null {
  const last = url.slice(url.lastIndexOf("/") + 1);
  if (isAddress(last) && url === storageUrlOf(publicUrl, last)) return { address: last };
  if (isObjectKey(last) && url === mediaUrl(publicUrl, last)) return { storageKey: last };
  return null;
}
