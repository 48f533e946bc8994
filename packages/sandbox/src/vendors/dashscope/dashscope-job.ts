import type { Job } from "../../kit/job.ts";
import type { DashScopeRequest } from "./read-request.ts";

export interface DashScopeJob extends Job {
  request: DashScopeRequest;
}
