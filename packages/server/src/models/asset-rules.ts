import assert from "node:assert";
import { invalid, type Text } from "../errors.ts";
import {
  bytesPerMegabyte,
  type FileInput,
  type FileRules,
  type FileType,
  fileInputs,
  mediaTypes,
} from "./file-rules.ts";
import { fileRulesOf, type Mode, type Model } from "./model.ts";
import { textOfOutput } from "./output-ref.ts";
import { type MediaRef, type ModelRequest, mediaOf } from "./request.ts";
import { requireUpscale } from "./upscale.ts";

/**
 * The facts about an asset that are known without fetching it again. They are measured before it can be
 * used.
 */
export interface AssetFacts {
  type: FileType;
  status: "NONE" | "PROCESSING" | "ACTIVE" | "FAILED";
  contentType: string | null;
  sizeBytes: number | null;
  width: number | null;
  height: number | null;
  durationMs: number | null;
  /** The codec of a video; `null` where it was not measured. */
  videoCodec?: string | null;
}

/** The facts about files of a request that are already stored: assets by id, outputs by reference. */
export interface KnownFiles {
  assets: ReadonlyMap<string, AssetFacts>;
  outputs: ReadonlyMap<string, AssetFacts>;
}

/**
 * Checks the request's stored files against what is known of them and fills in what the price needs.
 * Pure; throws `invalid_parameters`. A file of another account is not in `known`, like one that does
 * not exist. `inReview`: what a model that needs a review says to a stored asset that waits for it.
 */
export function applyFiles(
  model: Model,
  request: ModelRequest,
  known: KnownFiles,
  { inReview = "refused" }: { inReview?: "refused" | "accepted" } = {},
): ModelRequest {
  const videoSeconds: number[] = [];
  for (const { input, param, type, ref } of mediaOf(request)) {
    if (ref.url !== undefined) continue;
    const facts = factsOf(ref, known);
    if (facts === undefined)
      throw invalid(param, ref.task === undefined ? noSuchAsset : noSuchOutput);
    const isPriced = inReview === "accepted" && facts.sizeBytes !== null;
    const isWaiting = isPriced && facts.status === "PROCESSING";
    const fault =
      (isWaiting ? null : faultOfStatus(model, facts)) ??
      faultOfMedia(model, request.mode, input, facts);
    if (fault !== null) throw invalid(param, fault);
    if (type === "VIDEO") {
      assert(facts.durationMs !== null);
      videoSeconds.push(Math.ceil(facts.durationMs / 1000));
    }
  }
  requireUpscale(model, request, firstFrameOf(request, known));
  return request.kind === "video" ? { ...request, videoSeconds } : request;
}

const noSuchAsset: Text = { en: "there is no such asset", zh: "没有此素材" };
export const noSuchOutput: Text = { en: "there is no such output", zh: "没有此输出" };

function factsOf(ref: MediaRef, { assets, outputs }: KnownFiles): AssetFacts | undefined {
  if (ref.task !== undefined) return outputs.get(textOfOutput(ref));
  return ref.asset === undefined ? undefined : assets.get(ref.asset);
}

function firstFrameOf(request: ModelRequest, known: KnownFiles) {
  const [first] = request.images;
  const facts = first === undefined ? undefined : factsOf(first, known);
  if (!facts?.width || !facts.height) return null;
  return { width: facts.width, height: facts.height };
}

/** Review is for the models that ask for it; the others take what is stored and was not refused. */
function faultOfStatus(model: Model, { status, sizeBytes }: AssetFacts): Text | null {
  const { name, needsReview } = model;
  switch (status) {
    case "ACTIVE":
      return null;
    case "NONE":
      return needsReview
        ? {
            en: `the asset was stored without a review, and ${name} takes reviewed assets only`,
            zh: `该素材未经审核，而 ${name} 只接受已通过审核的素材`,
          }
        : null;
    case "PROCESSING":
      if (needsReview) return inReviewText;
      return sizeBytes === null ? notStored : null;
    case "FAILED":
      return { en: "the asset did not pass its review", zh: "该素材未通过审核" };
  }
}

const inReviewText: Text = {
  en: "the asset is still in review; wait until its status is ACTIVE",
  zh: "该素材仍在审核中，请等到状态为 ACTIVE",
};
const notStored: Text = {
  en: "the asset is not stored yet; wait until it has a size",
  zh: "该素材尚未存储完成，请等到它有大小信息",
};

type MeasuredFacts = Omit<AssetFacts, "status">;

/** The models that an asset can be given to. */
export interface AssetUsers {
  /** Now. */
  usableBy: string[];
  /** Once its review has passed. */
  usableAfterReview: string[];
}

/**
 * Returns the models that accept an asset in at least one of their inputs, by its measured facts: none
 * before it is stored, and none that refuses its size, shape or format.
 */
export function usersOf(models: readonly Model[], facts: AssetFacts): AssetUsers {
  const users: AssetUsers = { usableBy: [], usableAfterReview: [] };
  if (facts.sizeBytes === null || facts.status === "FAILED") return users;
  for (const model of models) {
    const takesFile = model.modes.some((mode) =>
      fileInputsOf(mode).some((input) => faultOfMedia(model, mode.name, input, facts) === null),
    );
    if (!takesFile) continue;
    if (faultOfStatus(model, facts) === null) users.usableBy.push(model.name);
    else if (facts.status === "PROCESSING") users.usableAfterReview.push(model.name);
  }
  return users;
}

function fileInputsOf({ files }: Mode): FileInput[] {
  return Object.keys(files) as FileInput[]; // the keys are those of its type
}

/** Returns the fault of a file for this input of a mode, by its measured facts. */
export function faultOfMedia(
  model: Model,
  mode: string,
  input: FileInput,
  facts: MeasuredFacts,
): Text | null {
  const type = fileInputs[input];
  if (facts.type !== type)
    return {
      en: `must be of type ${type}, but is ${facts.type}`,
      zh: `类型必须是 ${type}，实际是 ${facts.type}`,
    };
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
): Text | null {
  const container = containers[contentType ?? ""] ?? "unknown";
  if (formats !== undefined && !formats.includes(container))
    return {
      en: `must be ${formats.join(" or ")}, but is ${container}`,
      zh: `格式必须是 ${formats.join(" 或 ")}，实际是 ${container}`,
    };
  if (videoCodec && videoCodecs !== undefined && !videoCodecs.includes(videoCodec))
    return {
      en: `must be encoded as ${videoCodecs.join(" or ")}, but is ${videoCodec}`,
      zh: `编码必须是 ${videoCodecs.join(" 或 ")}，实际是 ${videoCodec}`,
    };
  assert(durationMs !== null, "a usable video or audio file has a duration");
  if (durationSecondsMax === undefined || durationMs <= durationSecondsMax * 1000) return null;
  return {
    en: `must be at most ${durationSecondsMax} s long, but is ${durationMs / 1000} s`,
    zh: `时长最多 ${durationSecondsMax} 秒，实际为 ${durationMs / 1000} 秒`,
  };
}

function faultOfImage(rules: FileRules, facts: MeasuredFacts): Text | null {
  const { width, height, sizeBytes, contentType } = facts;
  assert(width !== null && height !== null && sizeBytes !== null && contentType !== null);
  const sides = faultOfSides(rules, width, height);
  if (sides !== null)
    return {
      en: `${sides.en}, but is ${width}x${height}`,
      zh: `${sides.zh}，实际为 ${width}x${height}`,
    };
  const { sizeMegabytesMax, formats } = rules;
  if (sizeMegabytesMax !== undefined && sizeBytes > sizeMegabytesMax * bytesPerMegabyte)
    return {
      en: `must be at most ${sizeMegabytesMax} MB, but is ${sizeBytes} bytes`,
      zh: `最大 ${sizeMegabytesMax} MB，实际为 ${sizeBytes} 字节`,
    };
  if (formats !== undefined && !formats.some((name) => contentType === `image/${name}`))
    return {
      en: `must be ${formats.join(", ")}, but is ${contentType}`,
      zh: `格式必须是 ${formats.join("、")} 之一，实际是 ${contentType}`,
    };
  return null;
}

function faultOfSides(rules: FileRules, width: number, height: number): Text | null {
  const { shortSidePixelsMin, longSidePixelsMax, ratioMax } = rules;
  const [short, long] = [Math.min(width, height), Math.max(width, height)];
  if (shortSidePixelsMin !== undefined && short < shortSidePixelsMin)
    return {
      en: `must be at least ${shortSidePixelsMin} px on its shortest side`,
      zh: `短边至少 ${shortSidePixelsMin} 像素`,
    };
  if (longSidePixelsMax !== undefined && long > longSidePixelsMax)
    return {
      en: `must be at most ${longSidePixelsMax} px on its longest side`,
      zh: `长边最多 ${longSidePixelsMax} 像素`,
    };
  if (ratioMax === undefined) return null;
  const [longMax, shortMax] = ratioMax;
  const limit = longMax / shortMax;
  return long * shortMax > short * longMax
    ? {
        en: `must have an aspect ratio between 1:${limit} and ${limit}:1`,
        zh: `宽高比必须在 1:${limit} 到 ${limit}:1 之间`,
      }
    : null;
}
