import { join } from "node:path";
import type { VideoPlan } from "../../db/tables/upscale.ts";
import { type Download, download } from "../../media/fetch/download.ts";
import { FetchRefused, type SafeFetch } from "../../media/fetch/safe-fetch.ts";
import { listFrames } from "../../media/probe/list-frames.ts";
import { probeMedia } from "../../media/probe/probe.ts";
import { measureFile } from "../../media/storage/fetch-object.ts";
import { differenceMsMax, faultOfSides, shownMsOf } from "./check-result.ts";
import { copyImage } from "./copy-image.ts";
import type { SegmentRun } from "./upscaler.ts";

/** Ten minutes in 4k at 50 Mbit/s, and what a store takes in one go. */
const resultBytesMax = 4 * 1024 * 1024 * 1024;
const downloadMsMax = 15 * 60_000;
const copyMsMax = 5 * 60_000;

type Fault = { kind: "fault"; fault: string };
type Taken = { kind: "taken"; path: string; sizeBytes: number; sha256: string };

/**
 * Fetches a vendor's video and checks that its resolution and duration are what was paid for. Only its
 * video stream is kept. Transient failures throw.
 */
export async function takeResult(
  safeFetch: SafeFetch,
  url: string,
  video: VideoPlan,
  { dir, signal }: Pick<SegmentRun, "dir" | "signal">,
): Promise<Taken | Fault> {
  const path = join(dir, "result");
  const limits = { sizeBytesMax: resultBytesMax, totalMsMax: downloadMsMax, signal };
  const fetched = await download(safeFetch, url, path, limits).catch(refusedOrThrown);
  if (fetched.kind === "refused" && fetched.isTooSlow)
    throw new Error(`the vendor's video: ${fetched.reason}`); // the connection may be slow for a while
  if (fetched.kind === "refused") return faulty(`the vendor's video: ${fetched.reason}`);
  const checked = await check(path, video);
  if (checked.kind === "fault") return faulty(`the vendor's video: ${checked.fault}`);
  const run = { dir, signal, msMax: copyMsMax, bytesMax: resultBytesMax };
  const image = await copyImage({ path, contentType: checked.contentType }, run);
  return { kind: "taken", path: image, ...(await measureFile(image)) };
}

function faulty(fault: string): Fault {
  return { kind: "fault", fault };
}

/** A forbidden URL stays forbidden. */
function refusedOrThrown(error: unknown): Extract<Download, { kind: "refused" }> {
  if (error instanceof FetchRefused) return { kind: "refused", reason: error.message };
  throw error;
}

async function check(
  path: string,
  video: VideoPlan,
): Promise<{ kind: "good"; contentType: string } | Fault> {
  const facts = await probeMedia(path);
  if (facts?.type !== "VIDEO" || facts.width === null || facts.height === null)
    return faulty("it is not a video");
  const { contentType, videoCodec, width, height } = facts;
  const isMp4 = contentType === "video/mp4" || contentType === "video/quicktime";
  if (!isMp4 || videoCodec !== "h264")
    return faulty(`it is ${contentType} with ${videoCodec}, not MP4 with h264`);
  const fault = faultOfSides(video, { width, height });
  if (fault !== null) return faulty(fault);
  const listed = await listFrames(path, contentType);
  const first = listed?.frames[0];
  if (listed === null || first === undefined) return faulty("its frames have no timestamps");
  const { tick, endsAt } = listed;
  const lastsMs = shownMsOf({ ...video, tick, firstAt: first.at, endsAt });
  const shownMs = shownMsOf(video);
  if (Math.abs(lastsMs - shownMs) > differenceMsMax)
    return faulty(`it lasts ${lastsMs.toFixed(0)} ms instead of ${shownMs.toFixed(0)}`);
  return { kind: "good", contentType };
}
