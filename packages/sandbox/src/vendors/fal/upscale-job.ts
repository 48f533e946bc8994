import type { Job } from "../../kit/job.ts";
import type { UpscaleRequest } from "./read-request.ts";

export interface UpscaleJob extends Job {
  request: UpscaleRequest;
  /** Of the result; null until it is there. */
  video: { bytes: number; seconds: number } | null;
}
