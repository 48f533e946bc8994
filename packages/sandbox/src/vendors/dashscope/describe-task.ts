import type { JobStatus } from "../../kit/job.ts";
import type { DashScopeJob } from "./dashscope-job.ts";
import { writeLocalTime } from "./local-time.ts";
import type { DashScopeRequest } from "./read-request.ts";
import { shortSideOf } from "./sizes.ts";

export const taskStatuses = [
  "PENDING",
  "RUNNING",
  "SUCCEEDED",
  "FAILED",
  "CANCELED",
  "UNKNOWN",
] as const;

type TaskStatus = (typeof taskStatuses)[number];

/** Nothing expires here but what the control endpoint expires by force. */
const statuses: Record<JobStatus, TaskStatus> = {
  queued: "PENDING",
  running: "RUNNING",
  succeeded: "SUCCEEDED",
  failed: "FAILED",
  expired: "UNKNOWN",
  cancelled: "CANCELED",
};

export function statusOf(job: DashScopeJob): TaskStatus {
  return statuses[job.status];
}

/**
 * Returns the response to get without its request id. A failure comes with HTTP 200, like
 * everything else.
 */
export function describeTask(job: DashScopeJob) {
  const task = { task_id: job.id, task_status: statusOf(job) };
  if (task.task_status === "UNKNOWN") return { output: task };
  if (job.status === "failed") {
    const { code, message } = job.error ?? { code: "InternalError", message: "" };
    return { output: { ...task, code, message } };
  }
  const output = { ...task, ...timesOf(job) };
  if (job.status !== "succeeded") return { output };
  const { drawnPrompt } = job.request;
  return {
    output: { ...output, orig_prompt: drawnPrompt, video_url: job.videoUrl },
    usage: usageOf(job.request),
  };
}

export function describeNoTask(id: string) {
  return { output: { task_id: id, task_status: "UNKNOWN" } };
}

function timesOf(job: DashScopeJob) {
  const isOver = job.status === "succeeded" || job.status === "cancelled";
  return {
    submit_time: writeLocalTime(job.createdAtMs),
    ...(job.startedAtMs !== null && { scheduled_time: writeLocalTime(job.startedAtMs) }),
    ...(isOver && { end_time: writeLocalTime(job.updatedAtMs) }),
  };
}

function usageOf({ durationSeconds, resolution, ratio }: DashScopeRequest) {
  return {
    duration: durationSeconds,
    input_video_duration: 0,
    output_video_duration: durationSeconds,
    video_count: 1,
    SR: shortSideOf(resolution),
    ...(ratio !== undefined && { ratio }),
  };
}
