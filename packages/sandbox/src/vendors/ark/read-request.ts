import { createHash } from "node:crypto";
import { z } from "zod";
import { withoutDirectives } from "../../kit/script.ts";
import { checkContent, contentSchema, type Input } from "./content.ts";
import { ArkError, invalidParameter, missingParameter } from "./errors.ts";
import { type Ratio, type Resolution, ratios, resolutions } from "./sizes.ts";
import { readSwitches } from "./switches.ts";

/** A valid create, with every default filled in. */
export interface VideoRequest {
  model: string;
  /** The prompt as it was sent. */
  prompt: string;
  /** The prompt as the model understands it: without switches. */
  drawnPrompt: string;
  inputs: Input[];
  resolution: Resolution;
  /** `adaptive` until the vendor has seen the first image. */
  ratio: Ratio | "adaptive";
  durationSeconds: number;
  seed: number;
  generateAudio: boolean;
  /** Whether the vendor is asked for its visible mark. */
  watermark: boolean;
  priority: number;
  expiresAfterSeconds: number;
  callbackUrl: string | undefined;
  safetyIdentifier: string | undefined;
}

const models: Record<string, { resolutions: readonly Resolution[] }> = {
  "doubao-seedance-2-0-260128": { resolutions },
  "dreamina-seedance-2-0-260128": { resolutions },
  "doubao-seedance-2-0-fast-260128": { resolutions: ["480p", "720p"] },
  "dreamina-seedance-2-0-fast-260128": { resolutions: ["480p", "720p"] },
};

const durationSchema = z.union([z.int().min(4).max(15), z.literal(-1)]);
const seedSchema = z.int().min(-1).max(2_147_483_647);
const ratioSchema = z.enum([...ratios, "adaptive"]);

/** Fields that the vendor would not know are accepted and ignored, as there. */
const bodySchema = z.object({
  model: z.string().min(1),
  content: contentSchema,
  resolution: z.enum(resolutions).default("720p"),
  ratio: ratioSchema.default("adaptive"),
  duration: durationSchema.default(5),
  seed: seedSchema.default(-1),
  generate_audio: z.boolean().default(true),
  watermark: z.boolean().default(false),
  return_last_frame: z.boolean().default(false),
  priority: z.int().min(0).max(9).default(0),
  service_tier: z.string().default("default"),
  execution_expires_after: z.int().min(3_600).max(259_200).default(172_800),
  callback_url: z
    .url({ protocol: /^https?$/ })
    .max(2_048)
    .optional(),
  safety_identifier: z
    .string()
    .regex(/^[\x20-\x7e]{1,64}$/, "must be at most 64 ASCII characters")
    .optional(),
});

/** The values chosen for `duration: -1`, and for `ratio: adaptive` without an image to follow. */
const chosenDurationSeconds = 5;
const plainRatio: Ratio = "16:9";

/** Judges a create as the vendor does. Throws ArkError. */
export function readRequest(body: unknown): VideoRequest {
  const parsed = bodySchema.safeParse(body);
  if (!parsed.success) throw firstProblem(parsed.error, body);
  const fields = parsed.data;
  const model = Object.hasOwn(models, fields.model) ? models[fields.model] : undefined;
  if (!model) {
    const message = `The model or endpoint ${fields.model.slice(0, 100)} does not exist or you do not have access to it.`;
    throw new ArkError("InvalidEndpointOrModel.NotFound", message, "model");
  }
  if (fields.service_tier !== "default") {
    const message = `The parameter \`service_tier\` does not support ${fields.service_tier.slice(0, 40)} for this model.`;
    throw new ArkError("InvalidParameter.UnsupportedParameter", message, "service_tier");
  }
  const { prompt, inputs } = checkContent(fields.content);
  const switches = readSwitches(withoutDirectives(prompt));
  const drawnPrompt = switches.values.size === 0 ? prompt : withDirectives(switches.text, prompt);
  const chosen = applySwitches(fields, switches.values);
  if (!model.resolutions.includes(chosen.resolution)) {
    throw invalidParameter("resolution", `${chosen.resolution} is not offered by this model`);
  }
  const hasImage = fields.content.some((item) => item.type === "image_url");
  return {
    model: fields.model,
    prompt,
    drawnPrompt,
    inputs,
    resolution: chosen.resolution,
    ratio: chosen.ratio === "adaptive" && !hasImage ? plainRatio : chosen.ratio,
    durationSeconds: chosen.duration === -1 ? chosenDurationSeconds : chosen.duration,
    seed: chosen.seed === -1 ? seedOf(drawnPrompt) : chosen.seed,
    generateAudio: fields.generate_audio,
    watermark: fields.watermark,
    priority: fields.priority,
    expiresAfterSeconds: fields.execution_expires_after,
    callbackUrl: fields.callback_url,
    safetyIdentifier: fields.safety_identifier,
  };
}

/** Keeps the directives in the prompt when the switches around them are taken out. */
function withDirectives(text: string, prompt: string): string {
  return [text, ...(prompt.match(/\[sandbox:[^\]]{0,80}\]/g) ?? [])].join(" ").trim();
}

type Fields = z.output<typeof bodySchema>;

/**
 * Applies the switches, which win over fields: the precedence is not documented, and this is the
 * worse case for a gateway. Only the values of resolution and duration are checked; a bad one
 * elsewhere is dropped.
 */
function applySwitches(fields: Fields, values: Map<string, string>) {
  const resolution = values.get("resolution");
  const duration = values.get("duration");
  const chosen = {
    resolution:
      resolution === undefined ? fields.resolution : z.enum(resolutions).safeParse(resolution).data,
    duration:
      duration === undefined ? fields.duration : durationSchema.safeParse(Number(duration)).data,
    ratio: ratioSchema.safeParse(values.get("ratio")).data ?? fields.ratio,
    seed: seedSchema.safeParse(Number(values.get("seed") ?? Number.NaN)).data ?? fields.seed,
  };
  if (chosen.resolution === undefined)
    throw invalidParameter("resolution", "unknown value in the prompt");
  if (chosen.duration === undefined)
    throw invalidParameter("duration", "unknown value in the prompt");
  return { ...chosen, resolution: chosen.resolution, duration: chosen.duration };
}

/** The vendor draws lots; the sandbox derives, so that a repeated request finds its video rendered. */
function seedOf(prompt: string): number {
  return createHash("sha256").update(prompt.toWellFormed()).digest().readUInt32BE(0) >>> 1;
}

function firstProblem(error: z.ZodError, body: unknown): ArkError {
  const issue = error.issues[0];
  if (!issue || issue.path.length === 0) return invalidParameter("body", "expected a JSON object");
  const param = issue.path.reduce<string>(
    (path, key) =>
      typeof key === "number"
        ? `${path}[${key}]`
        : path === ""
          ? String(key)
          : `${path}.${String(key)}`,
    "",
  );
  const value = issue.path.reduce<unknown>(memberOf, body);
  if (value === undefined || (issue.code === "too_small" && issue.origin === "array"))
    return missingParameter(param);
  return invalidParameter(param, issue.message.replace(/\.$/, ""));
}

function memberOf(value: unknown, key: PropertyKey): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined;
}
