import type { Callbacks } from "../../kit/callbacks.ts";
import { createJobIds } from "../../kit/job-ids.ts";
import type { JobBehaviour } from "../../kit/job-life.ts";
import type { ArkJob } from "./ark-job.ts";
import { ArkError } from "./errors.ts";
import { scriptedError } from "./outcomes.ts";
import { createProduceVideo, type VideoParts } from "./produce-video.ts";

const finishedKeptMs = 7 * 86_400_000;
const cancelledKeptMs = 86_400_000;

/** Returns Ark's own behaviour of jobs: callbacks, an expiry, and videos by its table of sizes. */
export function createArkBehaviour(parts: VideoParts, callbacks: Callbacks): JobBehaviour<ArkJob> {
  return {
    vendor: "ark",
    newId: createJobIds(),
    newJob: (job, request) => ({ ...job, request, ratio: request.ratio }),
    fullError: () => new ArkError("QuotaExceeded", "The queue is full."),
    produceVideo: createProduceVideo(parts),
    scriptedError: (outcome) =>
      scriptedError(outcome, "The sandbox was scripted to fail this task."),
    expiresAfterMs: ({ request }) => request.expiresAfterSeconds * parts.config.expirySecondMs,
    changed(job) {
      if (job.status !== "cancelled") callbacks.announce(job);
    },
    retire(job) {
      job.request = { ...job.request, inputs: [] }; // data URIs may be many megabytes
      return job.status === "cancelled" ? cancelledKeptMs : finishedKeptMs;
    },
  };
}
