import assert from "node:assert";
import { invalid } from "../errors.ts";
import {
  bytesPerMegabyte,
  type FileInput,
  type FileRules,
  type FileType,
  fileInputs,
  mediaTypes,
} from "./file-rules.ts";
import { fileRulesOf, type Model } from "./model.ts";
import { type ModelRequest, mediaOf } from "./request.ts";
import { requireUpscale } from "./upscale.ts";

/** What is known of an asset without fetching it again. Measured before anybody can use it. */
export interface AssetFacts {
  type: FileType;
  status: "NONE" | "PROCESSING" | "ACTIVE" | "FAILED";
  contentType: string | null;
  sizeBytes: number | null;
  width: number | null;
  height: number | null;
  durationMs: number | null;
  /** Of a video; `null` where it was not measured. */
  videoCodec?: string | null;
}

/**
 * Checks the request's assets against what is known of them and fills in what the price needs.
 * Pure; throws `invalid_parameters`. An asset of another account is not in `assets`, like one that
 * does not exist.
 */
export function applyAssets(
  model: Model,
  request: ModelRequest,
  assets: ReadonlyMap<string, AssetFacts>,
): ModelRequest {
  const videoSeconds: number[] = [];
  for (const { input, param, type, ref } of mediaOf(request)) {
    if (ref.asset === undefined) continue;
    const facts = assets.get(ref.asset);
    if (facts === undefined) throw invalid(param, "there is no such asset");
    const fault = faultOfStatus(model, facts) ?? faultOfMedia(model, request.mode, input, facts);
    if (fault !== null) throw invalid(param, fault);
    if (type === "VIDEO") {
      assert(facts.durationMs !== null);
      videoSeconds.push(Math.ceil(facts.durationMs / 1000));
    }
  }
  requireUpscale(model, request, firstFrameOf(request, assets));
  return request.kind === "video" ? { ...request, videoSeconds } : request;
}

function firstFrameOf(request: ModelRequest, assets: ReadonlyMap<string, AssetFacts>) {
  const [first] = request.images;
  const facts = first?.asset === undefined ? undefined : assets.get(first.asset);
  if (!facts?.width || !facts.height) return null;
  return { width: facts.width, height: facts.height };
}

/** Review is for the models that ask for it; the others take what is stored and was not refused. */
function faultOfStatus(model: Model, { status, sizeBytes }: AssetFacts): string | null {
  const { name, needsReview } = model;
  switch (status) {
    case "ACTIVE":
      return null;
    case "NONE":
      return needsReview
        ? `the asset was stored without a review, and ${name} takes reviewed assets only`
        : null;
    case "PROCESSING":
      if (needsReview) return "the asset is still in review; wait until its status is ACTIVE";
      return sizeBytes === null ? "the asset is not stored yet; wait until it has a size" : null;
    case "FAILED":
      return "the asset did not pass its review";
  }
}

type MeasuredFacts = Omit<AssetFacts, "status">;

/** What is wrong with a file for this input of a mode, by what was measured of it. */
export function faultOfMedia(
  model: Model,
  mode: string,
  input: FileInput,
  facts: MeasuredFacts,
): string | null {
  const type = fileInputs[input];
  if (facts.type !== type) return `must be of type ${type}, but is ${facts.type}`;
  const rules = fileRulesOf(model, mode, input);
  return type === "IMAGE" ? faultOfImage(rules, facts) : faultOfClip(rules, facts);
}

/** Containers by the names that people know them by. */
const containers: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries({ ...mediaTypes.VIDEO, ...mediaTypes.AUDIO }).map(([name, type]) => [type, name]),
);

function faultOfClip(
  { durationSecondsMax, formats, videoCodecs }: FileRules,
  { durationMs, contentType, videoCodec }: MeasuredFacts,
): string | null {
  const container = containers[contentType ?? ""] ?? "unknown";
  if (formats !== undefined && !formats.includes(container))
    return `must be ${formats.join(" or ")}, but is ${container}`;
  if (videoCodec && videoCodecs !== undefined && !videoCodecs.includes(videoCodec))
    return `must be encoded as ${videoCodecs.join(" or ")}, but is ${videoCodec}`;
  assert(durationMs !== null, "a usable video or audio file has a duration");
  if (durationSecondsMax === undefined || durationMs <= durationSecondsMax * 1000) return null;
  return `must be at most ${durationSecondsMax} s long, but is ${durationMs / 1000} s`;
}

function faultOfImage(rules: FileRules, facts: MeasuredFacts): string | null {
  const { width, height, sizeBytes, contentType } = facts;
  assert(width !== null && height !== null && sizeBytes !== null && contentType !== null);
  const sides = faultOfSides(rules, width, height);
  if (sides !== null) return `${sides}, but is ${width}x${height}`;
  const { sizeMegabytesMax, formats } = rules;
  if (sizeMegabytesMax !== undefined && sizeBytes > sizeMegabytesMax * bytesPerMegabyte)
    return `must be at most ${sizeMegabytesMax} MB, but is ${sizeBytes} bytes`;
  if (formats !== undefined && !formats.some((name) => contentType === `image/${name}`))
    return `must be ${formats.join(", ")}, but is ${contentType}`;
  return null;
}

function faultOfSides(rules: FileRules, width: number, height: number): string | null {
  const { shortSidePixelsMin, longSidePixelsMax, ratioMax } = rules;
  const [short, long] = [Math.min(width, height), Math.max(width, height)];
  if (shortSidePixelsMin !== undefined && short < shortSidePixelsMin)
    return `must be at least ${shortSidePixelsMin} px on its shortest side`;
  if (longSidePixelsMax !== undefined && long > longSidePixelsMax)
    return `must be at most ${longSidePixelsMax} px on its longest side`;
  if (ratioMax === undefined) return null;
  const [longMax, shortMax] = ratioMax;
  const limit = longMax / shortMax;
  return long * shortMax > short * longMax
    ? `must have an aspect ratio between 1:${limit} and ${limit}:1`
    : null;
}
