import { z } from "zod";
import type { Text } from "../errors.ts";
import { parseOutput } from "./output-ref.ts";
import type { MediaRef } from "./request.ts";

/**
 * Inputs that several models share. Every message says what would be right; what people read about an
 * input is in fields.ts.
 */
const seedMax = 2_147_483_647;
const urlCharactersMax = 4_096;
const tooLong = `must be at most ${urlCharactersMax} characters, written out as a URL`;
const assetForm = /^asset:\/\/(asset-[0-9A-Za-z]{1,40}-[0-9A-Za-z]{1,40})$/;

/** The range of a number that is sent as text: JSON Schema has no keyword for it. */
const rangeKeyword = "x-range";
interface Range {
  min: number;
  max: number;
  step: number;
}
/** Names a row of `sourceRules`. Not published: the schema lists what the row says. */
export const sourcesKeyword = "x-sources";

const textRule = "must be text";

/** A prompt that may be left out. */
export function prompt(error: string | ((issue: { input?: unknown }) => string) = textRule) {
  return z.string({ error }).refine((text) => text.isWellFormed() && !text.includes("\u0000"), {
    error: "must be well-formed text without NUL characters",
  });
}

/** A prompt that the mode cannot do without. */
export function requiredPrompt(mode: string) {
  return prompt(({ input }) => (input === undefined ? `is required for ${mode}` : textRule));
}

export function oneOf<const Values extends readonly [string, ...string[]]>(
  values: Values,
  hint = "",
) {
  const choice = values.length === 1 ? values[0] : `one of ${values.join(", ")}`;
  return z.enum(values, { error: `must be ${choice}${hint}` });
}

/** Whole seconds as text, with or without the `s`, or as a number; the schema says text, as the interface does. */
export function duration(secondsMin: number, secondsMax: number, form: "s" | "") {
  const error = `must be a whole number of seconds from '${secondsMin}${form}' to '${secondsMax}${form}'`;
  const text = z
    .string({ error })
    .regex(/^[0-9]{1,2}s?$/, { error })
    .transform((raw) => Number.parseInt(raw, 10))
    .refine((seconds) => seconds >= secondsMin && seconds <= secondsMax, { error });
  return z
    .preprocess((raw) => (Number.isInteger(raw) ? String(raw) : raw), text)
    .prefault(`5${form}`)
    .meta({ [rangeKeyword]: { min: secondsMin, max: secondsMax, step: 1 } satisfies Range });
}

/** The range of an input that is a number sent as text. */
export function rangeOf(schema: z.core.JSONSchema.JSONSchema): Range | undefined {
  return schema[rangeKeyword] as Range | undefined;
}

/** `null` is no seed and never comes this far. */
export function seed(seedMin: -1 | 0) {
  const range = `a whole number from 0 to ${seedMax}`;
  const error = seedMin === -1 ? `must be -1 (random) or ${range}` : `must be ${range}`;
  return z
    .int({ error })
    .min(seedMin, { error })
    .max(seedMax, { error })
    .transform((raw) => (raw === -1 ? null : raw))
    .optional();
}

export type Sources = "http" | "https" | "no outputs" | "assets only";
interface SourceRules {
  schemes: readonly ("http" | "https" | "asset" | "task")[];
  error: string;
  description: Text;
}

export const sourceRules: Readonly<Record<Sources, SourceRules>> = {
  http: {
    schemes: ["http", "https", "asset", "task"],
    error:
      "must be a public http or https URL, asset://<upstreamAssetId> or task://<taskId>/<index>",
    description: {
      en: "A public http or https URL, asset://<upstreamAssetId>, or an output of a task: task://<taskId>/<index> or its link.",
      zh: "公网可访问的 http 或 https URL、asset://<upstreamAssetId>，或任务的输出：task://<taskId>/<index> 或其链接。",
    },
  },
  https: {
    schemes: ["https", "asset", "task"],
    error: "must be a public https URL, asset://<upstreamAssetId> or task://<taskId>/<index>",
    description: {
      en: "A public https URL, asset://<upstreamAssetId>, or an output of a task: task://<taskId>/<index> or its link.",
      zh: "公网可访问的 https URL、asset://<upstreamAssetId>，或任务的输出：task://<taskId>/<index> 或其链接。",
    },
  },
  "no outputs": {
    schemes: ["http", "https", "asset"],
    error: "must be a public http or https URL, or asset://<upstreamAssetId>",
    description: {
      en: "A public http or https URL, or asset://<upstreamAssetId>.",
      zh: "公网可访问的 http 或 https URL，或 asset://<upstreamAssetId>。",
    },
  },
  "assets only": {
    schemes: ["asset"],
    error:
      "must be asset://<upstreamAssetId> of an uploaded video; other URLs are not accepted. Save an output of a task to the library with POST /api/v1/assets/upload, its task://<taskId>/<index> as url",
    description: {
      en: "asset://<upstreamAssetId> of an uploaded video, or of an output that was saved to the library.",
      zh: "已上传视频或已存入素材库的任务输出的 asset://<upstreamAssetId>。",
    },
  },
};

/** The files a mode takes, in the caller's order. */
export function files(sources: Sources, count: { min: number; max: number; error: string }) {
  const { schemes, error } = sourceRules[sources];
  const protocols = ["http", "https"].filter((scheme) => schemes.some((one) => one === scheme));
  const file = z
    .string({ error })
    .max(urlCharactersMax, { error: tooLong })
    .meta({ format: "uri" })
    .transform((text, check): MediaRef => {
      const asset = assetForm.exec(text)?.[1];
      if (asset !== undefined) return { asset };
      const output = schemes.includes("task") ? parseOutput(text) : null;
      if (output !== null) return output;
      const url = URL.parse(text);
      const isTaken = url !== null && protocols.includes(url.protocol.slice(0, -1));
      if (isTaken && url.href.length <= urlCharactersMax) return { url: url.href };
      check.addIssue({ code: "custom", message: isTaken ? tooLong : error });
      return z.NEVER;
    });
  return z
    .array(file, { error: "must be a list of URLs" })
    .min(count.min, { error: count.error })
    .max(count.max, { error: count.error })
    .meta({ [sourcesKeyword]: sources });
}
