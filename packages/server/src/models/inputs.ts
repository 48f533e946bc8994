import { z } from "zod";
import type { Text } from "../language.ts";
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

/** A prompt that may be left out. */
export function prompt(error = "must be text") {
  return z.string({ error }).refine((text) => text.isWellFormed() && !text.includes("\u0000"), {
    error: "must be well-formed text without NUL characters",
  });
}

/** A prompt that the mode cannot do without. */
export function requiredPrompt(mode: string) {
  return prompt(`is required for ${mode}`);
}

export function oneOf<const Values extends readonly [string, ...string[]]>(
  values: Values,
  hint = "",
) {
  const choice = values.length === 1 ? values[0] : `one of ${values.join(", ")}`;
  return z.enum(values, { error: `must be ${choice}${hint}` });
}

/** Whole seconds, with or without the `s`. */
export function duration(secondsMin: number, secondsMax: number, form: "s" | "") {
  const error = `must be a whole number of seconds from '${secondsMin}${form}' to '${secondsMax}${form}', as text`;
  return z
    .string({ error })
    .regex(/^[0-9]{1,2}s?$/, { error })
    .transform((text) => Number.parseInt(text, 10))
    .refine((seconds) => seconds >= secondsMin && seconds <= secondsMax, { error })
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
    .transform((given) => (given === -1 ? null : given))
    .optional();
}

export type Sources = "http" | "https" | "assets only";
interface SourceRules {
  schemes: readonly ("http" | "https" | "asset")[];
  error: string;
  description: Text;
}

export const sourceRules: Readonly<Record<Sources, SourceRules>> = {
  http: {
    schemes: ["http", "https", "asset"],
    error: "must be a public http or https URL, or asset://<upstreamAssetId>",
    description: {
      en: "A public http or https URL, or asset://<upstreamAssetId>.",
      zh: "公网可访问的 http 或 https URL，或 asset://<upstreamAssetId>。",
    },
  },
  https: {
    schemes: ["https", "asset"],
    error: "must be a public https URL, or asset://<upstreamAssetId>",
    description: {
      en: "A public https URL, or asset://<upstreamAssetId>.",
      zh: "公网可访问的 https URL，或 asset://<upstreamAssetId>。",
    },
  },
  "assets only": {
    schemes: ["asset"],
    error: "must be asset://<upstreamAssetId> of an uploaded video; other URLs are not accepted",
    description: {
      en: "asset://<upstreamAssetId> of an uploaded video.",
      zh: "已上传视频的 asset://<upstreamAssetId>。",
    },
  },
};

/** The files a mode takes, in the caller's order. */
export function files(sources: Sources, count: { min: number; max: number; error: string }) {
  const { schemes, error } = sourceRules[sources];
  const protocols = schemes.filter((scheme) => scheme !== "asset").map((scheme) => `${scheme}:`);
  const file = z
    .string({ error })
    .max(urlCharactersMax, { error: tooLong })
    .meta({ format: "uri" })
    .transform((text, check): MediaRef => {
      const asset = assetForm.exec(text)?.[1];
      if (asset !== undefined) return { asset };
      const url = URL.parse(text);
      const isTaken = url !== null && protocols.includes(url.protocol);
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
