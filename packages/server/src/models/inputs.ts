import { z } from "zod";
import type { MediaRef } from "./request.ts";

/** Inputs that several models share. Every message says what would be right. */
const seedMax = 2_147_483_647;
const urlCharactersMax = 4_096;
const tooLong = `must be at most ${urlCharactersMax} characters, written out as a URL`;
const assetForm = /^asset:\/\/(asset-[0-9A-Za-z]{1,40}-[0-9A-Za-z]{1,40})$/;

/** A prompt that may be left out. */
export function prompt(description: string, error = "must be text") {
  return z
    .string({ error })
    .refine((text) => text.isWellFormed() && !text.includes("\u0000"), {
      error: "must be well-formed text without NUL characters",
    })
    .meta({ description });
}

/** A prompt that the mode cannot do without. */
export function requiredPrompt(mode: string, description: string) {
  return prompt(description, `is required for ${mode}`);
}

export function oneOf<const Values extends readonly [string, ...string[]]>(
  values: Values,
  description: string,
  hint = "",
) {
  const choice = values.length === 1 ? values[0] : `one of ${values.join(", ")}`;
  return z.enum(values, { error: `must be ${choice}${hint}` }).meta({ description });
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
    .meta({
      description: `Whole seconds from ${secondsMin} to ${secondsMax}, with or without an 's'.`,
    });
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
    .optional()
    .meta({ description: `Random if omitted${seedMin === -1 ? " or -1" : ""}.` });
}

type Sources = "http" | "https" | "assets only";
const sourceRules: Record<Sources, { protocols: string[]; error: string; description: string }> = {
  http: {
    protocols: ["http:", "https:"],
    error: "must be a public http or https URL, or asset://<upstreamAssetId>",
    description: "A public http or https URL, or asset://<upstreamAssetId>.",
  },
  https: {
    protocols: ["https:"],
    error: "must be a public https URL, or asset://<upstreamAssetId>",
    description: "A public https URL, or asset://<upstreamAssetId>.",
  },
  "assets only": {
    protocols: [],
    error: "must be asset://<upstreamAssetId> of an uploaded video; other URLs are not accepted",
    description: "asset://<upstreamAssetId> of an uploaded video.",
  },
};

/** The files a mode takes, in the caller's order. */
export function files(
  sources: Sources,
  count: { min: number; max: number; error: string },
  description: string,
) {
  const { protocols, error, description: itemDescription } = sourceRules[sources];
  const file = z
    .string({ error })
    .max(urlCharactersMax, { error: tooLong })
    .meta({ format: "uri", description: itemDescription })
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
    .meta({ description });
}
