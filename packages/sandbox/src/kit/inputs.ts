import { imageOfAsset } from "../render/image/asset-image.ts";
import { InputError } from "./input-error.ts";
import type { Reach } from "./reach.ts";

const inputBytesMax = 64 * 1024 * 1024;
const fetchMsMax = 20_000;
const urlCharactersShown = 500;

/**
 * The bytes behind an input's URL: a web address of the service, a data URI, or `asset://…`, which is
 * an image that the asset's id chooses for as long as the sandbox keeps no assets. Throws InputError.
 */
export type FetchInput = (url: string) => Promise<Buffer>;

interface Parts {
  mayReach: Reach;
  /** The addresses to which one redirect of the service may lead; undefined: nowhere. */
  mayFollow: Reach | undefined;
  /** Aborted when the sandbox stops. */
  stopping: AbortSignal;
}

export function openInputs({ mayReach, mayFollow, stopping }: Parts): FetchInput {
  return async (url) => {
    if (/^https?:\/\//i.test(url)) {
      if (mayReach(url)) return await download(url, { mayFollow, stopping });
      throw unreachable(url, "not an address of the service");
    }
    if (/^data:/i.test(url)) return readDataUri(url);
    if (isAsset(url)) return await imageOfAsset(url.slice("asset://".length));
    throw unreachable(url, "unsupported scheme");
  };
}

export function isAsset(url: string): boolean {
  return url.startsWith("asset://");
}

async function download(
  url: string,
  { mayFollow, stopping }: Omit<Parts, "mayReach">,
): Promise<Buffer> {
  const timeout = AbortSignal.timeout(fetchMsMax);
  const signal = AbortSignal.any([timeout, stopping]);
  try {
    let response = await ask(url, signal);
    const linked = linkOf(response, url);
    if (linked !== null && mayFollow?.(linked)) {
      await response.body?.cancel();
      response = await ask(linked, signal);
    }
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

/** A redirect could lead anywhere, so none is followed unseen. */
async function ask(url: string, signal: AbortSignal): Promise<Response> {
  return await fetch(url, { signal, redirect: "manual" });
}

/** Returns the target of a redirect; null if the response is no redirect. */
function linkOf(response: Response, url: string): string | null {
  const location = response.headers.get("location");
  if (![302, 303, 307].includes(response.status) || location === null) return null;
  return URL.canParse(location, url) ? new URL(location, url).href : null;
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
