import { z } from "zod";
import type { VendorJob } from "../vendor.ts";

/** The parts of Ark's messages that we read and write. */
export const createdSchema = z.object({ id: z.string().min(1).max(200) });

export const errorSchema = z.object({
  error: z.object({ code: z.string(), message: z.string().default("") }),
});

const faultSchema = z.object({ code: z.string(), message: z.string().default("") });

/** A job as `get` shows it. Lists call the fault `failure_reason`. */
export const jobSchema = z.object({
  id: z.string().min(1).max(200),
  status: z.string(),
  error: faultSchema.nullish(),
  failure_reason: faultSchema.nullish(),
  content: z.object({ video_url: z.string().nullish() }).nullish(),
  created_at: z.number().optional(),
  safety_identifier: z.string().nullish(),
});
export type ArkJob = z.output<typeof jobSchema>;

export const listSchema = z.object({ items: z.array(jobSchema) });

const expirySecondsMin = 3_600;
const expirySecondsMax = 259_200;

export function renderCreate(job: VendorJob, model: string): Record<string, unknown> {
  const { request } = job;
  return {
    model,
    content: [{ type: "text", text: withoutSwitches(request.prompt) }],
    resolution: request.outputResolution,
    ...(request.ratio === null ? {} : { ratio: request.ratio }),
    duration: request.durationSeconds,
    ...(request.seed === null ? {} : { seed: request.seed }),
    generate_audio: request.generateAudio,
    watermark: false,
    execution_expires_after: Math.min(Math.max(job.secondsMax, expirySecondsMin), expirySecondsMax),
    safety_identifier: job.endUser,
    callback_url: job.callbackUrl,
  };
}

/** Ark reads `--dur 15` in a prompt as a parameter, past the price: a space makes it plain words. */
export function withoutSwitches(prompt: string): string {
  return prompt.replace(/-{2,}(?=[^\s-])/g, (dashes) => `${dashes} `);
}
