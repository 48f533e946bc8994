import type { Job } from "../job.ts";
import type { HorseRequest } from "./read-request.ts";

export interface HorseJob extends Job {
  request: HorseRequest;
}
