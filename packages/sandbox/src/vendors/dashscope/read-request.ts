import { createHash } from "node:crypto";
import { z } from "zod";
import { cutPrompt } from "./cut-prompt.ts";
import { DashScopeError, invalidParameter } from "./errors.ts";
import { laterRatios, type Ratio, type Resolution, ratios, resolutions } from "./sizes.ts";

export type Mode = "t2v" | "i2v" | "r2v";

/** A valid create, with every default filled in. */
export interface DashScopeRequest {
  /** The request id of the create. */
  requestId: string;
  model: string;
  mode: Mode;
  /** The prompt as it was sent. */
  prompt: string;
  /** The prompt as the model understands it: cut. */
  drawnPrompt: string;
  /** The first frame or the references, in their order; web addresses or data URIs. */
  imageUrls: string[];
  resolution: Resolution;
  /** undefined follows the first frame. */
  ratio: Ratio | undefined;
  durationSeconds: number;
  seed: number;
  watermark: boolean;
}

const imagesMax = 9;
const mediaUrlCharactersMax = 30_000_000;

/** Parameters of other models, such as `negative_prompt`, are refused rather than ignored. */
const bodySchema = z.strictObject({
  model: z.string().min(1),
  input: z.strictObject({
    prompt: z.string().optional(),
    media: z
      .array(
        z.strictObject({
          type: z.enum(["first_frame", "reference_image"]),
          url: z.string().min(1).max(mediaUrlCharactersMax),
        }),
      )
      .optional(),
  }),
  parameters: z
    .strictObject({
      resolution: z.enum(resolutions).default("1080P"),
      ratio: z.enum([...ratios, ...laterRatios]).optional(),
      duration: z.int().min(3).max(15).default(5),
      seed: z.int().min(0).max(2_147_483_647).optional(),
      watermark: z.boolean().default(true),
    })
    .prefault({}),
});

type Body = z.output<typeof bodySchema>;

const modelPattern = /^happyhorse-1\.(?<version>[01])-(?<mode>t2v|i2v|r2v)$/;

/** Judges a create as the vendor does. Throws DashScopeError. */
export function readRequest(body: unknown, requestId: string): DashScopeRequest {
  const parsed = bodySchema.safeParse(body);
  if (!parsed.success) throw firstProblem(parsed.error);
  const { model, input, parameters } = parsed.data;
  const { mode, isLater } = readModel(model);
  const imageUrls = checkMedia(mode, input.media);
  const prompt = input.prompt ?? "";
  if (prompt.trim() === "" && mode !== "i2v") throw invalidParameter("input.prompt is required");
  const drawnPrompt = cutPrompt(prompt);
  return {
    requestId,
    model,
    mode,
    prompt,
    drawnPrompt,
    imageUrls,
    resolution: parameters.resolution,
    ratio: readRatio(mode, isLater, parameters.ratio),
    durationSeconds: parameters.duration,
    seed: parameters.seed ?? seedOf(drawnPrompt),
    watermark: parameters.watermark,
  };
}

function readModel(model: string): { mode: Mode; isLater: boolean } {
  const { version, mode } = model.match(modelPattern)?.groups ?? {};
  if (mode === "t2v" || mode === "i2v" || mode === "r2v") return { mode, isLater: version === "1" };
  throw new DashScopeError("ModelNotExist", "Model not exist.");
}

function readRatio(mode: Mode, isLater: boolean, ratio: Ratio | undefined): Ratio | undefined {
  if (mode === "i2v") {
    if (ratio === undefined) return undefined;
    throw invalidParameter("parameters.ratio is not supported: the video follows its first frame");
  }
  if (ratio !== undefined && !isLater && laterRatios.some((later) => later === ratio)) {
    throw invalidParameter(`parameters.ratio ${ratio} is not supported by this model`);
  }
  return ratio ?? "16:9";
}

function checkMedia(mode: Mode, media: Body["input"]["media"]): string[] {
  if (mode === "t2v") {
    if (media === undefined) return [];
    throw invalidParameter("input.media is not supported by this model");
  }
  const items = media ?? [];
  const type = mode === "i2v" ? "first_frame" : "reference_image";
  const countMax = mode === "i2v" ? 1 : imagesMax;
  if (items.length === 0 || items.length > countMax || items.some((item) => item.type !== type)) {
    throw invalidParameter(`input.media must be 1 to ${countMax} items of type ${type}`);
  }
  for (const [index, { url }] of items.entries()) {
    if (!/^(https?:\/\/\S+$|data:image\/[a-z+.-]+;base64,)/.test(url)) {
      throw invalidParameter(`input.media[${index}].url is neither a web address nor a data URI`);
    }
  }
  return items.map(({ url }) => url);
}

/** The vendor draws lots; the sandbox derives, so that a repeated request finds its video rendered. */
function seedOf(prompt: string): number {
  return createHash("sha256").update(prompt.toWellFormed()).digest().readUInt32BE(0) >>> 1;
}

function firstProblem(error: z.ZodError): DashScopeError {
  const issue = error.issues[0];
  if (!issue) return invalidParameter("the body is unusable");
  const path = issue.path.map(String);
  if (issue.code === "unrecognized_keys") {
    return invalidParameter(`${[...path, issue.keys[0] ?? ""].join(".")} is not supported`);
  }
  return invalidParameter(`${path.join(".") || "body"}: ${issue.message}`);
}
