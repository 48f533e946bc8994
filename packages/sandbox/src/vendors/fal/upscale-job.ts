import type { Job } from "../../kit/job.ts";
import type { UpscaleRequest } from "./read-request.ts";

export interface UpscaleJob extends Job {
  request: UpscaleRequest;
  /** The size and length of the result; null until it is there. */
  video: { bytes: number; seconds: number } | null;
}
