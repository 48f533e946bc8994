import type { VideoRequest } from "./video-request.ts";

export type Schedule = "A" | "B";

/** Credits per second of output, as published. */
const creditsPerSecond = {
  sd2: {
    "720p": { A: 6, B: 40 },
    "1080p": { A: 15, B: 100 },
  },
} as const;

/** What a request costs under a price schedule. Pure and exact: integers only. */
export function priceOf(request: VideoRequest, schedule: Schedule): number {
  return (
    creditsPerSecond[request.model][request.outputResolution][schedule] * request.durationSeconds
  );
}
