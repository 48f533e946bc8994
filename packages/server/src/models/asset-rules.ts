import assert from "node:assert";
import { invalid } from "../errors.ts";
import { type ModelRequest, mediaOf } from "./request.ts";

/** What is known of an asset without fetching it again. Measured before anybody can use it. */
export interface AssetFacts {
  type: "IMAGE" | "AUDIO" | "VIDEO";
  status: "NONE" | "PROCESSING" | "ACTIVE" | "FAILED";
  contentType: string | null;
  sizeBytes: number | null;
  width: number | null;
  height: number | null;
  durationMs: number | null;
}

interface ImageRules {
  shortSideMin: number;
  /** Long side over short side, as a fraction: 5 / 2 is 2.5. */
  ratioMax?: readonly [long: number, short: number];
  sizeMegabytesMax?: number;
  formats?: readonly string[];
}

const bytesPerMegabyte = 1024 * 1024;
const clipMsMax = 15_000;

const sd2References: ImageRules = { shortSideMin: 400 };
const happyhorseImages: ImageRules = {
  shortSideMin: 300,
  ratioMax: [5, 2],
  sizeMegabytesMax: 10,
  formats: ["jpeg", "png", "bmp", "webp"],
};
const editImages: ImageRules = {
  shortSideMin: 256,
  ratioMax: [3, 1],
  sizeMegabytesMax: 50,
  formats: ["jpeg", "png", "webp"],
};

function imageRulesOf(request: ModelRequest): ImageRules | null {
  switch (request.model) {
    case "happyhorse":
      return happyhorseImages;
    case "image-pro-2":
    case "image-plus-2":
      return editImages;
    default:
      return request.mode === "reference" ? sd2References : null;
  }
}

/**
 * Checks the request's assets against what is known of them and fills in what the price needs.
 * Pure; throws `invalid_parameters`. An asset of another account is not in `assets`, like one that
 * does not exist.
 */
export function applyAssets(
  request: ModelRequest,
  assets: ReadonlyMap<string, AssetFacts>,
): ModelRequest {
  const videoSeconds: number[] = [];
  for (const { param, type, ref } of mediaOf(request)) {
    if (!("asset" in ref)) continue;
    const facts = assets.get(ref.asset);
    if (facts === undefined) throw invalid(param, "there is no such asset");
    const fault = faultOfStatus(request, facts) ?? faultOfMedia(request, type, facts);
    if (fault !== null) throw invalid(param, fault);
    if (type === "VIDEO") {
      assert(facts.durationMs !== null);
      videoSeconds.push(Math.ceil(facts.durationMs / 1000));
    }
  }
  return "videos" in request ? { ...request, videoSeconds } : request;
}

function faultOfStatus(request: ModelRequest, { status }: AssetFacts): string | null {
  switch (status) {
    case "ACTIVE":
      return null;
    case "NONE":
      return "videos" in request
        ? `the asset was stored without a review, and ${request.model} takes reviewed assets only`
        : null;
    case "PROCESSING":
      return "the asset is still in review: wait until its status is ACTIVE";
    case "FAILED":
      return "the asset did not pass its review";
  }
}

/** What is wrong with a file for this request, by what was measured of it. */
export function faultOfMedia(
  request: ModelRequest,
  type: AssetFacts["type"],
  facts: Omit<AssetFacts, "status">,
): string | null {
  if (facts.type !== type) return `must be of type ${type}, this one is ${facts.type}`;
  if (type === "IMAGE") {
    const rules = imageRulesOf(request);
    return rules === null ? null : faultOfImage(rules, facts);
  }
  assert(facts.durationMs !== null, "a usable clip has been measured");
  return facts.durationMs <= clipMsMax
    ? null
    : `must be at most 15 s long, this asset is ${facts.durationMs / 1000} s`;
}

function faultOfImage(rules: ImageRules, facts: Omit<AssetFacts, "status">): string | null {
  const { width, height, sizeBytes, contentType } = facts;
  assert(width !== null && height !== null && sizeBytes !== null && contentType !== null);
  const short = Math.min(width, height);
  const long = Math.max(width, height);
  if (short < rules.shortSideMin)
    return `must be at least ${rules.shortSideMin} px on its shortest side, this image is ${width}x${height}`;
  if (rules.ratioMax !== undefined) {
    const [longMax, shortMax] = rules.ratioMax;
    if (long * shortMax > short * longMax) {
      const limit = longMax / shortMax;
      return `must have an aspect ratio between 1:${limit} and ${limit}:1, this image is ${width}x${height}`;
    }
  }
  if (rules.sizeMegabytesMax !== undefined && sizeBytes > rules.sizeMegabytesMax * bytesPerMegabyte)
    return `must be at most ${rules.sizeMegabytesMax} MB, this image has ${sizeBytes} bytes`;
  if (rules.formats !== undefined && !rules.formats.some((name) => contentType === `image/${name}`))
    return `must be ${rules.formats.join(", ")}, this asset is ${contentType}`;
  return null;
}
