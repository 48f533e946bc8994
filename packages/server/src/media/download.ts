import { createHash } from "node:crypto";
import { createWriteStream } from "node:fs";
import { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { SafeFetch } from "./safe-fetch.ts";

export type Download =
  | { kind: "done"; sizeBytes: number; sha256: string }
  | { kind: "refused"; reason: string };

class TooLarge extends Error {}

/** Streams a URL into a local file, hashing on the way. Memory is bounded by the stream's buffers. */
export async function download(
  safeFetch: SafeFetch,
  url: string,
  path: string,
  limits: { sizeBytesMax: number; totalMsMax: number },
): Promise<Download> {
  const response = await safeFetch(url, {
    method: "GET",
    protocols: ["https:", "http:"],
    redirectsMax: 3,
    totalMsMax: limits.totalMsMax,
  });
  if (response.status !== 200) {
    // An unread body that is destroyed emits an error, which would end the process if nobody listened.
    response.body.on("error", () => {}).destroy();
    if (response.status >= 500) throw new Error(`the download answered ${response.status}`);
    return { kind: "refused", reason: `the link answered ${response.status}` };
  }
  const hash = createHash("sha256");
  let sizeBytes = 0;
  const measure = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      sizeBytes += chunk.length;
      hash.update(chunk);
      done(sizeBytes > limits.sizeBytesMax ? new TooLarge() : null, chunk);
    },
  });
  try {
    await pipeline(response.body, measure, createWriteStream(path));
  } catch (error) {
    if (error instanceof TooLarge)
      return { kind: "refused", reason: `larger than ${limits.sizeBytesMax} bytes` };
    throw error;
  }
  return { kind: "done", sizeBytes, sha256: hash.digest("hex") };
}
