import { ApiError, ConnectionError } from "@zoetrope/sdk";
import type { Verification } from "@zoetrope/sdk/answers";
import i18next from "i18next";
import { currentLanguage } from "../../i18n/language.ts";

export const sendBytesMax = 200 * 1024 * 1024;

interface Options {
  /** 1: it has arrived, and is being checked. */
  onProgress(share: number): void;
  signal: AbortSignal;
}

/** Sends a file to be checked. Only this kind of request reports how much has been sent. */
export function sendFile(file: File, { onProgress, signal }: Options): Promise<Verification> {
  const { promise, resolve, reject } = Promise.withResolvers<Verification>();
  const request = new XMLHttpRequest();
  request.open("POST", "/api/v1/verify");
  request.setRequestHeader("accept-language", currentLanguage());
  request.setRequestHeader("content-type", "application/octet-stream");
  request.upload.onprogress = ({ loaded, total }) => onProgress(total === 0 ? 1 : loaded / total);
  request.upload.onload = () => onProgress(1);
  request.onload = () => {
    if (request.status === 200) resolve(JSON.parse(request.responseText) as Verification);
    else reject(errorOf(request));
  };
  request.onerror = () =>
    reject(new ConnectionError(i18next.t("verify:interrupted"), { code: "verify_interrupted" }));
  request.onabort = () => reject(signal.reason);
  signal.addEventListener("abort", () => request.abort(), { once: true });
  request.send(file);
  return promise;
}

function errorOf({ status, responseText }: XMLHttpRequest): Error {
  const body = readBody(responseText);
  // A proxy in front may refuse by itself.
  if (body === null)
    return new ConnectionError(i18next.t("verify:refused", { status }), { code: `http_${status}` });
  return new ApiError({ param: null, retryAfterMs: null, idempotencyKey: null, ...body, status });
}

function readBody(text: string) {
  try {
    return JSON.parse(text) as { code: string; message: string; requestId: string };
  } catch {
    return null;
  }
}
