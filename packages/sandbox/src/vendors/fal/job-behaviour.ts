import { createHash, randomUUID } from "node:crypto";
import type { SandboxConfig } from "../../config.ts";
import { createGate } from "../../kit/gate.ts";
import { InputError } from "../../kit/input-error.ts";
import type { FetchInput } from "../../kit/inputs.ts";
import type { JobBehaviour } from "../../kit/job-life.ts";
import type { VideoLinks } from "../../kit/video-links.ts";
import { brokenVideoName, noVideoName } from "../../kit/video-routes.ts";
import type { VideoStore } from "../../render/video/video-store.ts";
import { FalError, internalError, tooManyRequests } from "./errors.ts";
import { errorOf } from "./outcomes.ts";
import type { UpscaleJob } from "./upscale-job.ts";
import { upscaleVideo } from "./upscale-video.ts";

interface Parts {
  config: SandboxConfig;
  videos: VideoStore;
  links: VideoLinks;
  fetchInput: FetchInput;
  /** Aborted when the sandbox stops. */
  stopping: AbortSignal;
}

/** fal keeps a result that long. */
const keptMs = 3_600_000;
/** Jobs whose source is in memory at a time. */
const fetchedMax = 8;

/** Returns fal's own behaviour of jobs: sources that are fetched when the job runs, and no callbacks. */
export function createFalBehaviour(parts: Parts): JobBehaviour<UpscaleJob> {
  const gate = createGate(fetchedMax);
  return {
    vendor: "fal",
    newId: () => randomUUID(),
    newJob: (job, request) => ({ ...job, request, video: null }),
    fullError: tooManyRequests,
    produceVideo: (job) => gate.pass(() => produceVideo(parts, job)).catch(errorFrom),
    scriptedError: errorOf,
    retire: () => keptMs,
  };
}

async function produceVideo(parts: Parts, job: UpscaleJob): Promise<Partial<UpscaleJob>> {
  const { config, videos, links, stopping } = parts;
  const { request, script } = job;
  const spoilt = { bytes: 0, seconds: 0 };
  const made = (name: string, livesMs: number, video = spoilt) => ({
    videoUrl: links.sign(name, Date.now() + livesMs),
    video,
  });
  if (script.video === "badvideo") return made(noVideoName, config.linkMs);
  if (script.video === "deadlink") return made(noVideoName, -1_000);
  if (script.video === "brokenlink") return made(brokenVideoName, config.linkMs);
  const source = await parts.fetchInput(request.sourceUrl);
  const plan = { ...request, isCut: script.video === "wrong-length" };
  const name = `${createHash("sha256").update(job.id).digest("hex").slice(0, 32)}.mp4`;
  const video = await videos.inTurn((studio) =>
    upscaleVideo(studio, source, plan, videos.pathOf(name), stopping),
  );
  return made(name, config.linkMs, video);
}

function errorFrom(error: unknown): FalError {
  if (error instanceof FalError) return error;
  if (error instanceof InputError) return errorOf(error.outcome);
  return internalError(`The video could not be made: ${String(error)}`);
}
