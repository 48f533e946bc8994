import { z } from "zod";
import type { HappyhorseRequest } from "../../models/happyhorse.ts";
import type { VendorImageRules, VendorJob } from "../vendor.ts";
import { jobId } from "../wire-values.ts";

/** The parts of DashScope's messages that we read and write. */
export const createdSchema = z.object({ output: z.object({ task_id: jobId }) });

export const errorSchema = z.object({
  code: z.string().min(1),
  message: z.string().default(""),
});

/** A job as `get` shows it; a failed one comes with HTTP 200, too. */
export const jobSchema = z.object({
  output: z.object({
    task_id: jobId,
    task_status: z.string(),
    code: z.string().nullish(),
    message: z.string().nullish(),
    orig_prompt: z.string().nullish(),
    video_url: z.string().nullish(),
  }),
  usage: z.unknown().optional(),
});
export type DashScopeJob = z.output<typeof jobSchema>["output"] & { usage?: unknown };

const time = z.union([z.number(), z.string().transform(readTime).pipe(z.number())]);

export const listSchema = z.object({
  data: z.array(
    z.object({
      task_id: jobId,
      model_name: z.string().nullish(),
      gmt_create: time.nullish(),
      status: z.string(),
    }),
  ),
  total_page: z.number().nullish(),
});
export type ListedJob = z.output<typeof listSchema>["data"][number];

const zoneMs = 8 * 3_600_000; // times without a zone are those of Beijing

/** Milliseconds since 1970 of `2026-01-01 00:00:00.000`. */
export function readTime(text: string): number {
  return Date.parse(`${text.replace(" ", "T")}Z`) - zoneMs;
}

/** `20260101000000` */
export function renderTime(ms: number): string {
  return new Date(ms + zoneMs).toISOString().replaceAll(/\D/g, "").slice(0, 14);
}

export const suffixes: Readonly<Record<HappyhorseRequest["mode"], string>> = {
  "text-to-video": "t2v",
  "image-to-video": "i2v",
  "reference-to-video": "r2v",
};

const referenceSideMin = 400;
const frameSideMin = 300;

export function imageRulesOf({ mode }: { mode: string }): VendorImageRules {
  return {
    formats: ["jpeg", "png", "webp"],
    shortSidePixelsMin: mode === "reference-to-video" ? referenceSideMin : frameSideMin,
    sizeBytesMax: 10 * 1024 * 1024,
  };
}

/** Resolution and watermark are always sent: left out they are 1080P, which costs more, and true. */
export function renderCreate(
  job: Pick<VendorJob, "linkOf" | "isMarked">,
  request: HappyhorseRequest,
  model: string,
  prompt: string | null,
): Record<string, unknown> {
  const type = request.mode === "image-to-video" ? "first_frame" : "reference_image";
  const media = request.images.map((ref) => ({ type, url: job.linkOf(ref) }));
  const hasRatio = request.mode !== "image-to-video" && request.ratio !== null;
  return {
    model,
    input: {
      prompt: prompt ?? undefined,
      media: media.length === 0 ? undefined : media,
    },
    parameters: {
      resolution: request.outputResolution.toUpperCase(),
      ratio: hasRatio ? request.ratio : undefined,
      duration: request.durationSeconds,
      watermark: job.isMarked,
      seed: request.seed ?? undefined,
    },
  };
}

/** Our callers write `character2` for the second reference image, newer models read `[Image 2]`. */
export function withImagesNamed(request: HappyhorseRequest): string | null {
  if (request.mode !== "reference-to-video" || request.prompt === null) return request.prompt;
  return request.prompt.replaceAll(/\bcharacter([1-9])\b/gi, (word, number) =>
    Number(number) <= request.images.length ? `[Image ${number}]` : word,
  );
}
