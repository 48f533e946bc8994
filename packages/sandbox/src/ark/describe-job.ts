import { framesPerSecond } from "../film/ffmpeg-arguments.ts";
import type { Job } from "../job.ts";

/** The answer to get, and the body of a callback. */
export function describeJob(job: Job) {
  const { request } = job;
  return {
    ...common(job),
    error: job.error,
    resolution: request.resolution,
    ratio: request.ratio,
    duration: request.durationSeconds,
  };
}

/** An item of a list: other name for the error, and no resolution, ratio or duration. */
export function describeJobInList(job: Job) {
  return { ...common(job), failure_reason: job.error };
}

function common(job: Job) {
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
function usageOf({ request: { size, durationSeconds } }: Job) {
  const pixels = size.width * size.height * durationSeconds * framesPerSecond;
  const tokens = Math.round(pixels / 1_024);
  return { completion_tokens: tokens, total_tokens: tokens };
}
