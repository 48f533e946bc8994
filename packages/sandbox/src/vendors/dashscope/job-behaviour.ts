import { randomUUID } from "node:crypto";
import type { SandboxConfig } from "../../config.ts";
import { createGate } from "../../kit/gate.ts";
import { InputError } from "../../kit/input-error.ts";
import type { FetchInput } from "../../kit/inputs.ts";
import type { JobBehaviour } from "../../kit/job-life.ts";
import type { VideoLinks } from "../../kit/video-links.ts";
import { brokenVideoName, noVideoName } from "../../kit/video-routes.ts";
import type { VideoStore } from "../../render/video/video-store.ts";
import type { DashScopeJob } from "./dashscope-job.ts";
import { DashScopeError, internalError, rateExceeded } from "./errors.ts";
import { errorOf } from "./outcomes.ts";
import { planVideo } from "./plan-video.ts";

interface Parts {
  config: SandboxConfig;
  videos: VideoStore;
  links: VideoLinks;
  fetchInput: FetchInput;
}

/** The time for which a task's id is known after its end: as long as its video. */
const keptMs = 86_400_000;
/** Jobs whose images are in memory at a time. */
const fetchedMax = 16;

/** Returns DashScope's own behaviour of jobs: no callbacks, no expiry, ids that are UUIDs. */
export function createDashScopeBehaviour(parts: Parts): JobBehaviour<DashScopeJob> {
  const gate = createGate(fetchedMax);
  return {
    vendor: "dashscope",
    newId: () => randomUUID(),
    newJob: (job, request) => ({ ...job, request }),
    fullError: rateExceeded,
    async produceVideo(job) {
      const isBare = job.request.imageUrls.length === 0;
      const video = isBare ? produceVideo(parts, job) : gate.pass(() => produceVideo(parts, job));
      return video.catch(errorFrom);
    },
    scriptedError: errorOf,
    retire(job) {
      job.request = { ...job.request, imageUrls: [] }; // data URIs may be many megabytes
      return keptMs;
    },
  };
}

async function produceVideo(parts: Parts, { request, script }: DashScopeJob) {
  const { config, videos, links, fetchInput } = parts;
  const spec = await planVideo(request, fetchInput);
  const sign = (name: string, livesMs: number) => ({
    videoUrl: links.sign(name, Date.now() + livesMs),
  });
  if (script.video === "badvideo") return sign(noVideoName, config.linkMs);
  if (script.video === "deadlink") return sign(noVideoName, -1_000);
  if (script.video === "brokenlink") return sign(brokenVideoName, config.linkMs);
  const seconds = script.video === "wrong-length" ? Math.floor(spec.seconds / 2) : spec.seconds;
  return sign(await videos.obtain({ ...spec, seconds }), config.linkMs);
}

function errorFrom(error: unknown): DashScopeError {
  if (error instanceof DashScopeError) return error;
  if (error instanceof InputError) return errorOf(error.outcome);
  return internalError(`The video could not be rendered: ${String(error)}`);
}
