import type { Job } from "../../kit/job.ts";
import type { HorseRequest } from "./read-request.ts";

export interface HorseJob extends Job {
  request: HorseRequest;
}
