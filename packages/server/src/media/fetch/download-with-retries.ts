import { type Download, download } from "./download.ts";
import { AddressRefused, FetchRefused, type SafeFetch } from "./safe-fetch.ts";

const triesMax = 3;

/**
 * Like `download`, for a user's URL: repeated failures are returned as a refusal instead of thrown.
 * The time limit covers all attempts together.
 */
export async function downloadWithRetries(
  safeFetch: SafeFetch,
  url: string,
  path: string,
  limits: Parameters<typeof download>[3],
): Promise<Download & { isForbidden?: boolean }> {
  const startedAt = performance.now();
  for (let tries = 1; ; tries++) {
    const msLeft = limits.totalMsMax - (performance.now() - startedAt);
    if (msLeft < 1)
      return { kind: "refused", reason: `it took more than ${limits.totalMsMax / 1000} s` };
    try {
      const totalMsMax = Math.ceil(msLeft);
      return await download(safeFetch, url, path, { ...limits, totalMsMax, isRateRising: true });
    } catch (error) {
      if (error instanceof FetchRefused)
        return {
          kind: "refused",
          reason: error.message,
          isForbidden: error instanceof AddressRefused,
        };
      if (tries === triesMax) return { kind: "refused", reason: "the connection failed" };
    }
  }
}
