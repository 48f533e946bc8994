import { createHash } from "node:crypto";
import { createWriteStream } from "node:fs";
import { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { countPassed } from "./free-buffers.ts";
import type { SafeFetch } from "./safe-fetch.ts";

export type Download =
  | { kind: "done"; sizeBytes: number; sha256: string }
  | { kind: "refused"; reason: string; isTooLarge?: true; isTooSlow?: true };

interface DownloadLimits {
  sizeBytesMax: number;
  totalMsMax: number;
  /** Ends it at any point; then it throws. */
  signal?: AbortSignal;
  /** Left out: both. */
  protocols?: readonly ("https:" | "http:")[];
  /** How long it may take at any rate, and what it must have brought per second since its start afterwards. */
  graceMs?: number;
  bytesPerSecondMin?: number;
  /**
   * For hosts that strangers name: that rate is due after `graceMs`, twice the rate after twice as long; and no
   * file comes faster than `pace` once it is large, so that one account leaves network, disk and processor to others.
   */
  isStranger?: true;
  pace?: Pace;
}

interface Pace {
  /** So many come as fast as they can. */
  burstBytes: number;
  bytesPerSecondMax: number;
}

const strangersPace: Pace = { burstBytes: 32 * 1024 * 1024, bytesPerSecondMax: 8 * 1024 * 1024 };

const graceMsUsual = 30_000;
const bytesPerSecondMinUsual = 16 * 1024;
const lookEveryMsMax = 1_000;
const aheadMsMin = 20;

class TooLarge extends Error {}

/** Streams a URL into a local file, hashing on the way. Memory is bounded by the stream's buffers. */
export async function download(
  safeFetch: SafeFetch,
  url: string,
  path: string,
  limits: DownloadLimits,
): Promise<Download> {
  const progress = { sizeBytes: 0 };
  using rate = watchRate(limits, progress);
  const signal = AbortSignal.any([rate.signal, ...(limits.signal ? [limits.signal] : [])]);
  try {
    return await stream(safeFetch, url, path, { limits, progress, signal });
  } catch (error) {
    if (rate.signal.aborted) return { kind: "refused", reason: rate.fault, isTooSlow: true };
    if (error instanceof TooLarge)
      return {
        kind: "refused",
        reason: `larger than ${limits.sizeBytesMax} bytes`,
        isTooLarge: true,
      };
    throw error;
  }
}

async function stream(
  safeFetch: SafeFetch,
  url: string,
  path: string,
  {
    limits,
    progress,
    signal,
  }: { limits: DownloadLimits; progress: { sizeBytes: number }; signal: AbortSignal },
): Promise<Download> {
  const response = await safeFetch(url, {
    method: "GET",
    protocols: limits.protocols ?? ["https:", "http:"],
    redirectsMax: 3,
    totalMsMax: limits.totalMsMax,
    signal,
  });
  if (response.status !== 200) {
    // An unread body that is destroyed emits an error, which would end the process if nobody listened.
    response.body.on("error", () => {}).destroy();
    if (response.status >= 500) throw new Error(`the download answered ${response.status}`);
    return { kind: "refused", reason: `the link answered ${response.status}` };
  }
  if (Number(response.headers["content-length"]) > limits.sizeBytesMax) {
    response.body.on("error", () => {}).destroy();
    throw new TooLarge();
  }
  const hash = createHash("sha256");
  const { pace = limits.isStranger ? strangersPace : undefined } = limits;
  const startedAt = performance.now();
  const measure = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      progress.sizeBytes += chunk.length;
      hash.update(chunk);
      countPassed(chunk.length);
      if (progress.sizeBytes > limits.sizeBytesMax) return done(new TooLarge());
      const aheadMs = pace === undefined ? 0 : aheadMsOf(pace, progress.sizeBytes, startedAt);
      if (aheadMs < aheadMsMin) done(null, chunk);
      else setTimeout(() => done(null, chunk), aheadMs);
    },
  });
  await pipeline(response.body, measure, createWriteStream(path));
  return { kind: "done", sizeBytes: progress.sizeBytes, sha256: hash.digest("hex") };
}

/** By how much a download is before its time. */
function aheadMsOf({ burstBytes, bytesPerSecondMax }: Pace, sizeBytes: number, startedAt: number) {
  const dueMs = ((sizeBytes - burstBytes) * 1_000) / bytesPerSecondMax;
  return dueMs - (performance.now() - startedAt);
}

/**
 * Few files are fetched at once, so who drips bytes, or keeps us waiting for the first, would hold a
 * place of others for minutes. The clock runs from the start, names and redirects included.
 */
function watchRate(
  {
    graceMs = graceMsUsual,
    bytesPerSecondMin = bytesPerSecondMinUsual,
    isStranger,
  }: DownloadLimits,
  progress: Readonly<{ sizeBytes: number }>,
): Disposable & { signal: AbortSignal; fault: string } {
  const tooSlow = new AbortController();
  const startedAt = performance.now();
  const timer = setInterval(
    () => {
      const elapsedMs = performance.now() - startedAt;
      const least = isStranger ? (bytesPerSecondMin * elapsedMs) / graceMs : bytesPerSecondMin;
      const isSlow = progress.sizeBytes * 1_000 < least * elapsedMs;
      if (elapsedMs > graceMs && isSlow) tooSlow.abort();
    },
    Math.min(lookEveryMsMax, graceMs / 10),
  );
  return {
    signal: tooSlow.signal,
    fault: `too slow: after ${graceMs / 1_000} s a file must come at ${bytesPerSecondMin} bytes per second or more${isStranger ? ", and faster the longer it takes" : ""}`,
    [Symbol.dispose]: () => clearInterval(timer),
  };
}
