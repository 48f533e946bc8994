import { z } from "zod";
import type { UpscaleResolution } from "../../models/request.ts";
import type { Fault } from "../read-refusal.ts";
import { jobId } from "../wire-values.ts";

/** The parts of fal's messages that we read and write. */
export const submittedSchema = z.object({ request_id: jobId });

/** A request that failed is COMPLETED as well, and perhaps says why here. */
export const statusSchema = z.object({
  request_id: jobId,
  status: z.string(),
  error: z.string().nullish(),
  error_type: z.string().min(1).nullish(),
  metrics: z.unknown().optional(),
});

export const resultSchema = z.object({ video: z.object({ url: z.string().nullish() }) });

const issue = z.object({ type: z.string().min(1), msg: z.string().catch("") });

/** A model's error is a list with types, one of fal's machines is flat; its gateway's has text only. */
export const errorSchema = z.union([
  z.object({ detail: z.array(issue).min(1) }).transform(({ detail }): Fault => {
    const { type, msg } = detail[0] ?? { type: untypedCode, msg: "" };
    return { code: type, message: msg };
  }),
  z
    .object({ detail: z.string().min(1), error_type: z.string().min(1).nullish() })
    .transform(
      ({ detail, error_type }): Fault => ({ code: error_type ?? untypedCode, message: detail }),
    ),
]);

/** The code of an error that has none. */
export const untypedCode = "detail";

export interface UpscaleRequest {
  /** Fetched by the vendor, some time later. */
  sourceUrl: string;
  target: UpscaleResolution;
  framesPerSecond: number;
}

/** Rates are averages: 30 frames a second may read 30.02. */
const rateTolerance = 0.5;

/** Rates other than these two are not offered, and no rate is lowered that need not be. */
export function renderSubmit({ sourceUrl, target, framesPerSecond }: UpscaleRequest) {
  return {
    video_url: sourceUrl,
    target_resolution: target,
    target_fps: framesPerSecond <= 30 + rateTolerance ? "30fps" : "60fps",
  };
}

/** Returns the path for queries about a request, which contains only the owner and the name of the model. */
export function requestPath(endpoint: string, id: string): string {
  const [owner, name] = endpoint.split("/");
  return `/${owner}/${name}/requests/${encodeURIComponent(id)}`;
}
