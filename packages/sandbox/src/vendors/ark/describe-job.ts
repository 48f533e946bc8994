import assert from "node:assert/strict";
import { framesPerSecond } from "../../render/scenes/stage.ts";
import type { ArkJob } from "./ark-job.ts";
import { sizeOf } from "./sizes.ts";

/** Returns the response to get, which is also the body of a callback. */
export function describeJob(job: ArkJob) {
  const { request } = job;
  return {
    ...common(job),
    error: job.error,
    resolution: request.resolution,
    ratio: job.ratio,
    duration: request.durationSeconds,
  };
}

/** An item of a list: other name for the error, and no resolution, ratio or duration. */
export function describeJobInList(job: ArkJob) {
  return { ...common(job), failure_reason: job.error };
}

function common(job: ArkJob) {
  const { request } = job;
  return {
    id: job.id,
    model: request.model,
    status: job.status,
    ...(job.status === "succeeded" && {
      content: { video_url: job.videoUrl },
      usage: usageOf(job),
    }),
    created_at: Math.floor(job.createdAtMs / 1_000),
    updated_at: Math.floor(job.updatedAtMs / 1_000),
    seed: request.seed,
    framespersecond: framesPerSecond,
    generate_audio: request.generateAudio,
    service_tier: "default",
    execution_expires_after: request.expiresAfterSeconds,
    priority: request.priority,
    ...(request.safetyIdentifier !== undefined && { safety_identifier: request.safetyIdentifier }),
  };
}

/** The vendor's estimate: pixels × frames / 1024. */
function usageOf({ ratio, request: { resolution, durationSeconds } }: ArkJob) {
  assert(ratio !== "adaptive", "a finished video has a size");
  const size = sizeOf(resolution, ratio);
  const pixels = size.width * size.height * durationSeconds * framesPerSecond;
  const tokens = Math.round(pixels / 1_024);
  return { completion_tokens: tokens, total_tokens: tokens };
}
