import type { Job } from "../../kit/job.ts";
import type { VideoRequest } from "./read-request.ts";

export interface ArkJob extends Job {
  request: VideoRequest;
  /** What `adaptive` came to, once the video is made. */
  ratio: VideoRequest["ratio"];
}
