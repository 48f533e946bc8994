import { z } from "zod";
import { FalError } from "./errors.ts";

export const resolutions = ["1080p", "2k", "4k"] as const;
export type Resolution = (typeof resolutions)[number];

/** A valid submit, with every default filled in. */
export interface UpscaleRequest {
  model: string;
  /** The source's address, which the journal and `jobs` show in the place of a prompt. */
  prompt: string;
  sourceUrl: string;
  targetResolution: Resolution;
  framesPerSecond: 30 | 60;
}

const urlCharactersMax = 10_000;

/** Unknown fields are refused rather than ignored. */
const bodySchema = z.strictObject({
  video_url: z
    .string()
    .max(urlCharactersMax)
    .regex(/^https?:\/\/\S+$/, "Input should be a valid URL"),
  target_resolution: z.enum(resolutions).default("1080p"),
  target_fps: z.enum(["30fps", "60fps"]).default("30fps"),
  enhancement_preset: z
    .enum(["general", "ugc", "short_series", "aigc", "old_video"])
    .default("general"),
  enhancement_tier: z.enum(["fast", "standard", "pro"]).default("standard"),
  fidelity: z.enum(["high", "medium"]).default("high"),
});

/** Judges a submit. Throws FalError. */
export function readRequest(model: string, body: unknown): UpscaleRequest {
  const parsed = bodySchema.safeParse(body);
  if (!parsed.success) throw firstProblem(parsed.error);
  const { video_url, target_resolution, target_fps } = parsed.data;
  return {
    model,
    prompt: video_url,
    sourceUrl: video_url,
    targetResolution: target_resolution,
    framesPerSecond: target_fps === "60fps" ? 60 : 30,
  };
}

function firstProblem(error: z.ZodError): FalError {
  const issue = error.issues[0];
  const isMissing = issue?.code === "invalid_type" && issue.input === undefined;
  return new FalError(
    isMissing ? "missing" : "value_error",
    `${issue?.path.map(String).join(".") || "body"}: ${issue?.message}`,
  );
}
