import { createHash } from "node:crypto";
import { type Readable, Transform, type Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { ApiError, invalid } from "../errors.ts";
import { measureRate } from "../media/fetch/download.ts";
import { countPassed } from "../media/free-buffers.ts";

export const fileBytesMax = 200 * 1024 * 1024;
/** What 200 MB take at 6 Mbit/s. */
export const arrivalMsMax = 5 * 60_000;

interface ArrivalLimits {
  sizeBytesMax: number;
  graceMs: number;
  bytesPerSecondMin: number;
}

const arrivalLimits: ArrivalLimits = {
  sizeBytesMax: fileBytesMax,
  graceMs: 10_000,
  bytesPerSecondMin: 32 * 1024,
};

export function tooLarge(): ApiError {
  return new ApiError("body_too_large", {
    message: {
      en: "The file is larger than 200 MB. Send its SHA-256 by GET instead.",
      zh: "文件大于 200 MB。请改用 GET 发送其 SHA-256。",
    },
  });
}

/**
 * Passes a body on as it arrives and returns its SHA-256. Throws an ApiError if the body is empty, too large,
 * too slow or cut, and another error if the target fails or stops reading.
 */
export async function passFile(
  body: Readable,
  target: Writable,
  { sizeBytesMax, graceMs, bytesPerSecondMin } = arrivalLimits,
): Promise<string> {
  const progress = { sizeBytes: 0 };
  using rate = measureRate({ graceMs, bytesPerSecondMin, isRateRising: true }, progress);
  const hash = createHash("sha256");
  const measure = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      progress.sizeBytes += chunk.length;
      hash.update(chunk);
      countPassed(chunk.length);
      done(progress.sizeBytes > sizeBytesMax ? tooLarge() : null, chunk);
    },
  });
  const { signal } = rate;
  let isTargetAtFault = false;
  signal.addEventListener("abort", () => {
    isTargetAtFault = target.writableNeedDrain;
  });
  // The pipeline destroys the body before a target that has not failed.
  const noteFailure = () => {
    isTargetAtFault ||= !body.destroyed;
  };
  target.once("error", noteFailure).once("close", noteFailure);
  await pipeline(body, measure, target, { signal }).catch((error: unknown) => {
    if (!isTargetAtFault && (signal.aborted || isCut(error))) throw new ApiError("request_timeout");
    throw error;
  });
  if (progress.sizeBytes === 0) throw invalid("body", "must be a file, but is empty");
  return hash.digest("hex");
}

/** The client disconnected during the upload: not a server error. */
function isCut(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? error.code : null;
  return code === "ECONNRESET" || code === "ERR_STREAM_PREMATURE_CLOSE";
}
