import type { Job } from "../../kit/job.ts";
import type { VideoRequest } from "./read-request.ts";

export interface ArkJob extends Job {
  request: VideoRequest;
  /** The ratio chosen for `adaptive`, once the video is made. */
  ratio: VideoRequest["ratio"];
}
