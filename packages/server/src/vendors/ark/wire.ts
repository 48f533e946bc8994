import assert from "node:assert";
import { z } from "zod";
import type { MediaRef } from "../../models/request.ts";
import type { Sd2Request } from "../../models/sd2-family.ts";
import type { VendorJob } from "../vendor.ts";
import { jobId, timeOr } from "../wire-values.ts";

/** The parts of Ark's messages that we read and write. */
export const createdSchema = z.object({ id: jobId });

export const errorSchema = z.object({
  error: z.object({ code: z.string(), message: z.string().default("") }),
});

const faultSchema = z.object({ code: z.string(), message: z.string().default("") });

/** A job as `get` shows it. Lists call the fault `failure_reason`. */
export const jobSchema = z.object({
  id: jobId,
  status: z.string(),
  error: faultSchema.nullish(),
  failure_reason: faultSchema.nullish(),
  content: z.object({ video_url: z.string().nullish() }).nullish(),
  usage: z.unknown().optional(),
  created_at: z.number().optional(),
  safety_identifier: z.string().nullish(),
  model: z.string().nullish(),
  execution_expires_after: z.number().nullish(),
});
export type ArkJob = z.output<typeof jobSchema>;

export const listSchema = z.object({ items: z.array(jobSchema) });

const expirySecondsMin = 3_600;
const expirySecondsMax = 259_200;

/** Returns the time at which a job expires, unless that is not what was asked for. */
export function expiryOf(job: ArkJob): Date | null {
  const { created_at: createdAt, execution_expires_after: seconds } = job;
  if (createdAt === undefined || seconds == null) return null;
  const isAsAsked = seconds > expirySecondsMin && seconds < expirySecondsMax;
  return isAsAsked ? timeOr((createdAt + seconds) * 1000, null) : null;
}

export function renderCreate(
  job: VendorJob,
  request: Sd2Request,
  model: string,
): Record<string, unknown> {
  return {
    model,
    content: renderContent(job, request),
    resolution: request.outputResolution,
    ratio: request.ratio ?? undefined,
    duration: request.durationSeconds,
    seed: request.seed ?? undefined,
    generate_audio: request.generateAudio,
    watermark: job.isMarked,
    execution_expires_after: Math.min(Math.max(job.secondsMax, expirySecondsMin), expirySecondsMax),
    safety_identifier: job.endUser,
    callback_url: job.callbackUrl,
  };
}

/** The order of the files is the caller's: prompts name them by kind and number. */
function renderContent(job: VendorJob, request: Sd2Request): Record<string, unknown>[] {
  const item = (kind: "image" | "video" | "audio", role: string, ref: MediaRef) => ({
    type: `${kind}_url`,
    [`${kind}_url`]: { url: job.linkOf(ref) },
    role,
  });
  const frames = ["first_frame", "last_frame"];
  const imageRole = (index: number) => {
    const role = request.mode === "reference" ? "reference_image" : frames[index];
    assert(role !== undefined, "a video has at most two frames");
    return role;
  };
  return [
    ...(request.prompt === null ? [] : [{ type: "text", text: withoutSwitches(request.prompt) }]),
    ...request.images.map((ref, index) => item("image", imageRole(index), ref)),
    ...request.videos.map((ref) => item("video", "reference_video", ref)),
    ...request.audios.map((ref) => item("audio", "reference_audio", ref)),
  ];
}

/** Ark reads `--dur 15` in a prompt as a parameter, past the price: a space makes it plain text. */
export function withoutSwitches(prompt: string): string {
  return prompt.replace(/-{2,}(?=[^\s-])/g, (dashes) => `${dashes} `);
}
