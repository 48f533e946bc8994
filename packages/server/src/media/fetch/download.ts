import { createHash } from "node:crypto";
import { createWriteStream } from "node:fs";
import { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { countPassed } from "../free-buffers.ts";
import type { SafeFetch } from "./safe-fetch.ts";

export type Download =
  | { kind: "done"; sizeBytes: number; sha256: string }
  | { kind: "refused"; reason: string; isTooLarge?: true; isTooSlow?: true };

interface RateLimits {
  /**
   * The time without a minimum rate, and the bytes per second since the start that are required
   * afterwards.
   */
  graceMs?: number;
  bytesPerSecondMin?: number;
  /** Whether the required rate doubles each time the elapsed time doubles, for hosts that users name. */
  isRateRising?: true;
}

interface DownloadLimits extends RateLimits {
  sizeBytesMax: number;
  totalMsMax: number;
  /** Ends it at any point; then it throws. */
  signal?: AbortSignal;
  /** Omitted: both. */
  protocols?: readonly ("https:" | "http:")[];
  /** Called with the bytes received; returns how long to pause. */
  pace?: (bytes: number) => number;
  /** Changes the bytes on their way: size, checksum, `onChunk` and the file are of what it passes on. */
  through?: Transform | undefined;
  /** Sees every chunk on its way into the file; does not throw. */
  onChunk?: (chunk: Buffer) => void;
}

const graceMsUsual = 30_000;
const bytesPerSecondMinUsual = 16 * 1024;
const rateCheckMsMax = 1_000;
const restMsMin = 20;

class TooLarge extends Error {}

/** Streams a URL into a local file, hashing on the way. Memory is bounded by the stream's buffers. */
export async function download(
  safeFetch: SafeFetch,
  url: string,
  path: string,
  limits: DownloadLimits,
): Promise<Download> {
  const progress = { sizeBytes: 0 };
  using rate = measureRate(limits, progress);
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
  const measure = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      progress.sizeBytes += chunk.length;
      hash.update(chunk);
      countPassed(chunk.length);
      if (progress.sizeBytes > limits.sizeBytesMax) return done(new TooLarge());
      limits.onChunk?.(chunk);
      const restMs = limits.pace?.(chunk.length) ?? 0;
      if (restMs < restMsMin) done(null, chunk);
      else setTimeout(() => done(null, chunk), restMs);
    },
  });
  const { through } = limits;
  const changes = through === undefined ? [] : [through];
  await pipeline([response.body, ...changes, measure, createWriteStream(path)]);
  return { kind: "done", sizeBytes: progress.sizeBytes, sha256: hash.digest("hex") };
}

/**
 * Few files are received at once, so a sender that drips bytes would hold a permit for minutes. The clock
 * runs from the start, DNS and redirects included.
 */
export function measureRate(
  { graceMs = graceMsUsual, bytesPerSecondMin = bytesPerSecondMinUsual, isRateRising }: RateLimits,
  progress: Readonly<{ sizeBytes: number }>,
): Disposable & { signal: AbortSignal; fault: string } {
  const tooSlow = new AbortController();
  const startedAt = performance.now();
  const timer = setInterval(
    () => {
      const elapsedMs = performance.now() - startedAt;
      const least = isRateRising ? (bytesPerSecondMin * elapsedMs) / graceMs : bytesPerSecondMin;
      const isSlow = progress.sizeBytes * 1_000 < least * elapsedMs;
      if (elapsedMs > graceMs && isSlow) tooSlow.abort();
    },
    Math.min(rateCheckMsMax, graceMs / 10),
  );
  return {
    signal: tooSlow.signal,
    fault: `too slow: after ${graceMs / 1_000} s, at least ${bytesPerSecondMin} bytes per second are required${isRateRising ? ", and faster the longer it takes" : ""}`,
    [Symbol.dispose]: () => clearInterval(timer),
  };
}
