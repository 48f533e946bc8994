import type { VideoRequest } from "./ark/read-request.ts";
import type { Script } from "./script.ts";

export const jobStatuses = [
  "queued",
  "running",
  "succeeded",
  "failed",
  "expired",
  "cancelled",
] as const;

export type JobStatus = (typeof jobStatuses)[number];

export interface Job {
  /** 1 for the first job this process was given. */
  number: number;
  id: string;
  request: VideoRequest;
  script: Script;
  status: JobStatus;
  error: { code: string; message: string } | null;
  videoUrl: string | null;
  createdAtMs: number;
  updatedAtMs: number;
}

export function isOpen(job: Job): boolean {
  return job.status === "queued" || job.status === "running";
}
