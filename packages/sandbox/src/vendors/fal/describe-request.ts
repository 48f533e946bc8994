import { isOpen } from "../../kit/job.ts";
import { FalError, formOf } from "./errors.ts";
import type { UpscaleJob } from "./upscale-job.ts";

/** A model's path but for its owner and name is part of the submit alone. */
export function appOf(model: string): string {
  return model.split("/").slice(0, 2).join("/");
}

function linksOf({ id, request }: UpscaleJob, baseUrl: string) {
  const response_url = `${baseUrl}/${appOf(request.model)}/requests/${id}`;
  return {
    request_id: id,
    response_url,
    status_url: `${response_url}/status`,
    cancel_url: `${response_url}/cancel`,
  };
}

export function describeSubmit(job: UpscaleJob, baseUrl: string) {
  return { status: "IN_QUEUE", queue_position: 0, ...linksOf(job, baseUrl) };
}

/** A request that failed is COMPLETED as well; only what its machines did has a type here. */
export function describeStatus(job: UpscaleJob, baseUrl: string) {
  const links = linksOf(job, baseUrl);
  if (job.status === "queued") return { status: "IN_QUEUE", queue_position: 0, ...links };
  if (isOpen(job)) return { status: "IN_PROGRESS", logs: null, ...links };
  const inference_time = (job.updatedAtMs - (job.startedAtMs ?? job.updatedAtMs)) / 1_000;
  const completed = { status: "COMPLETED", logs: null, metrics: { inference_time }, ...links };
  const error = errorOfJob(job);
  if (!error) return completed;
  const isTyped = formOf(error.code) === "request";
  return isTyped
    ? { ...completed, error: error.message, error_type: error.code }
    : { ...completed, error: `Invalid status code: ${error.httpStatus}` };
}

/** Returns the model's response. Throws FalError: the model's own, or that there is none yet. */
export function describeResult(job: UpscaleJob) {
  if (isOpen(job)) throw new FalError("in_progress", "Request is still in progress");
  const error = errorOfJob(job);
  if (error) throw error;
  const video = {
    url: job.videoUrl,
    content_type: "video/mp4",
    file_name: "output.mp4",
    file_size: job.video?.bytes,
  };
  return { video, duration: job.video?.seconds };
}

function errorOfJob({ status, error }: UpscaleJob): FalError | undefined {
  if (status === "cancelled") return new FalError("client_cancelled", "Request was cancelled");
  return error ? new FalError(error.code, error.message) : undefined;
}
