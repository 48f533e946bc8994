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

/** What the jobs of all vendors have in common. */
export interface Job {
  /** 1 for the first job this process was given, by whatever vendor's protocol. */
  number: number;
  vendor: Vendor;
  id: string;
  request: {
    model: string;
    /** As it was sent. */
    prompt: string;
    callbackUrl?: string | undefined;
    safetyIdentifier?: string | undefined;
  };
  script: Script;
  status: JobStatus;
  error: { code: string; message: string } | null;
  videoUrl: string | null;
  createdAtMs: number;
  /** When it began to run. */
  startedAtMs: number | null;
  updatedAtMs: number;
}

export function isOpen(job: Job): boolean {
  return job.status === "queued" || job.status === "running";
}
