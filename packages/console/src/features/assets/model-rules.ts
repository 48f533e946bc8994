import type { ListModelsAnswer } from "@zoetrope/sdk/answers";
import type { AssetType } from "./file-type.ts";

interface Limits {
  shortSidePixelsMin?: number;
  longSidePixelsMax?: number;
  ratioMax?: number;
  sizeBytesMax?: number;
  durationSecondsMax?: number;
}

export interface FileRule {
  key: string;
  type: AssetType;
  models: string[];
  formats: string[];
  limits: Limits;
  needsReview: boolean;
}

/** The limits that a schema sets for the files of an input. */
interface Media extends Limits {
  type: string;
  mediaTypes: string[];
  needsReview: boolean;
}

const types = { image: "IMAGE", video: "VIDEO", audio: "AUDIO" } as const;

/** Models with the same rules share a row. */
export function rulesOf(models: ListModelsAnswer["models"]): FileRule[] {
  const rules = new Map<string, FileRule>();
  for (const { title, inputs } of models)
    for (const media of mediaOf(inputs)) {
      const rule = ruleOf(media);
      if (rule === null) continue;
      const known = rules.get(rule.key) ?? rule;
      if (!known.models.includes(title)) known.models.push(title);
      rules.set(rule.key, known);
    }
  return [...rules.values()];
}

function mediaOf(schema: unknown): Media[] {
  if (typeof schema !== "object" || schema === null) return [];
  const own = "x-media" in schema ? [schema["x-media"] as Media] : [];
  return [...own, ...Object.values(schema).flatMap(mediaOf)];
}

function ruleOf(media: Media): FileRule | null {
  const type = types[media.type as keyof typeof types];
  if (type === undefined) return null;
  const { shortSidePixelsMin, longSidePixelsMax, ratioMax, sizeBytesMax, durationSecondsMax } =
    media;
  const all = { shortSidePixelsMin, longSidePixelsMax, ratioMax, sizeBytesMax, durationSecondsMax };
  const limits = Object.fromEntries(
    Object.entries(all).filter(([, limit]) => limit !== undefined),
  ) as Limits;
  const formats = media.mediaTypes.map((name) => name.split("/")[1]?.toUpperCase() ?? name);
  const { needsReview } = media;
  const key = JSON.stringify([type, formats, limits, needsReview]);
  return { key, type, models: [], formats, limits, needsReview };
}
