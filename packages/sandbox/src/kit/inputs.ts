import { imageOfAsset } from "../render/video/asset-image.ts";
import { InputError } from "./input-error.ts";

const inputBytesMax = 64 * 1024 * 1024;
const fetchMsMax = 20_000;
const urlCharactersShown = 500;

/**
 * The bytes behind an input's URL: a web address of any host, a data URI, or `asset://…`, which is
 * an image with the asset's id on it for as long as the sandbox keeps no assets. Throws InputError.
 */
export async function fetchInput(url: string, stopping?: AbortSignal): Promise<Buffer> {
  if (/^https?:\/\//i.test(url)) return await download(url, stopping);
  if (/^data:/i.test(url)) return readDataUri(url);
  if (isAsset(url)) return await imageOfAsset(url.slice("asset://".length));
  throw unreachable(url, "unsupported scheme");
}

export function isAsset(url: string): boolean {
  return url.startsWith("asset://");
}

async function download(url: string, stopping: AbortSignal | undefined): Promise<Buffer> {
  const timeout = AbortSignal.timeout(fetchMsMax);
  const signal = stopping ? AbortSignal.any([timeout, stopping]) : timeout;
  try {
    const response = await fetch(url, { signal });
    if (!response.ok) {
      await response.body?.cancel();
      throw unreachable(url, `status code: ${response.status}`);
    }
    return await readBounded(url, response);
  } catch (error) {
    if (error instanceof InputError) throw error;
    if (timeout.aborted) {
      const message = `Timeout while downloading url: ${url.slice(0, urlCharactersShown)}`;
      throw new InputError("input_unreachable", message);
    }
    throw unreachable(url, "connection failed");
  }
}

async function readBounded(url: string, response: Response): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of response.body ?? []) {
    bytes += part.length;
    if (bytes > inputBytesMax) throw unreachable(url, `more than ${inputBytesMax} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts);
}

function readDataUri(uri: string): Buffer {
  const comma = uri.indexOf(",");
  const payload = uri.slice(comma + 1);
  const isBase64 = /;\s*base64\s*$/i.test(uri.slice(0, Math.max(0, comma)));
  const isValid = comma > 0 && (!isBase64 || /^[A-Za-z0-9+/_-]*={0,2}$/.test(payload));
  if (!isValid) throw new InputError("input_unusable", "The data URI cannot be read.");
  return isBase64 ? Buffer.from(payload, "base64") : Buffer.from(unescapeUri(payload));
}

function unescapeUri(payload: string): string {
  try {
    return decodeURIComponent(payload);
  } catch {
    throw new InputError("input_unusable", "The data URI cannot be read.");
  }
}

function unreachable(url: string, why: string): InputError {
  const shown = url.slice(0, urlCharactersShown);
  return new InputError("input_unreachable", `Error while downloading: ${shown}, ${why}`);
}
