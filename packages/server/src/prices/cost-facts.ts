import type { CostFacts } from "../db/tables/tasks.ts";
import { imageRateKey, videoRateKey } from "../models/rates.ts";
import type { ModelRequest } from "../models/request.ts";

/** Returns what the cost of a request can depend on. Stored with each submit: requests are erased. */
export function costFactsOf(request: ModelRequest): CostFacts {
  if (request.kind === "image") {
    const key = imageRateKey(request.resolution, request.quality);
    return { key, seconds: 0, inputSeconds: 0, images: 1 };
  }
  const { outputResolution, durationSeconds, videoSeconds, videos } = request;
  return {
    key: videoRateKey(outputResolution, videos.length > 0),
    seconds: durationSeconds,
    inputSeconds: videoSeconds.reduce((sum, seconds) => sum + seconds, 0),
    images: 0,
  };
}
