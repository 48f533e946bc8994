import type { Script } from "./script.ts";
import type { Vendor } from "./vendor.ts";

export const jobStatuses = [
  "queued",
  "running",
  "succeeded",
  "failed",
  "expired",
  "cancelled",
] as const;

export type JobStatus = (typeof jobStatuses)[number];

/** The fields that the jobs of all vendors have in common. */
export interface Job {
  /** 1 for the first job that the sandbox was given, by whatever vendor's protocol. */
  number: number;
  vendor: Vendor;
  id: string;
  request: {
    model: string;
    /** The prompt as it was sent. */
    prompt: string;
    callbackUrl?: string | undefined;
    safetyIdentifier?: string | undefined;
  };
  script: Script;
  status: JobStatus;
  error: { code: string; message: string } | null;
  videoUrl: string | null;
  createdAtMs: number;
  /** The time at which it began to run. */
  startedAtMs: number | null;
  updatedAtMs: number;
}

export function isOpen(job: Job): boolean {
  return job.status === "queued" || job.status === "running";
}
