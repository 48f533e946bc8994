import { NoSuchModelError } from "@ai-sdk/provider";
import type { ModelName } from "@zoetrope/sdk";

export type VideoModelId = Extract<ModelName, "sd2" | "sd2-fast" | "happyhorse">;
export type ImageModelId = Exclude<ModelName, VideoModelId>;
/** The id of a video model, also of one that is newer than this package. */
export type AnyVideoModelId = VideoModelId | (string & {});
export type AnyImageModelId = ImageModelId | (string & {});

type Kind = "image" | "video" | "audio";

export interface VideoTraits {
  /** The input that selects the aspect ratio, and its value for each ratio. null: the ratio as it is given. */
  ratioInput: "resolution" | "ratio" | "aspectRatio";
  ratios: Readonly<Record<string, string>> | null;
  /** Short sides in pixels that the model renders; null: not known. */
  shortSides: readonly number[] | null;
  hasAudioSwitch: boolean;
  hasLastFrame: boolean;
  /** Kinds of references, and the inputs that select the mode for them; null: not known. */
  references: readonly Kind[];
  referenceMode: Readonly<Record<string, string>> | null;
  /** Whether a first frame decides the aspect ratio. */
  ratioFollowsFrame: boolean;
  /** Whether the service requires an aspect ratio with references. */
  needsRatioWithReferences: boolean;
}

const sd2: VideoTraits = {
  ratioInput: "resolution",
  ratios: {
    "16:9": "1280x720",
    "9:16": "720x1280",
    "1:1": "720x720",
    "4:3": "960x720",
    "3:4": "720x960",
    "21:9": "1280x540",
  },
  shortSides: [720, 1080],
  hasAudioSwitch: true,
  hasLastFrame: true,
  references: ["image", "video", "audio"],
  referenceMode: { videoInputMode: "reference" },
  ratioFollowsFrame: false,
  needsRatioWithReferences: true,
};

const videoTraits: Readonly<Record<VideoModelId, VideoTraits>> = {
  sd2,
  "sd2-fast": { ...sd2, shortSides: [720] },
  happyhorse: {
    ratioInput: "ratio",
    ratios: sameNames("16:9", "9:16", "1:1", "4:3", "3:4"),
    shortSides: [720, 1080],
    hasAudioSwitch: false,
    hasLastFrame: false,
    references: ["image"],
    referenceMode: { videoWorkflowTab: "multi-reference" },
    ratioFollowsFrame: true,
    needsRatioWithReferences: false,
  },
};

/** Begins the warning of what cannot be mapped for such a model. */
export const newer = "is newer than this version of @zoetrope/ai-sdk: set";

/**
 * The traits of a model that is newer than this package: inputs by their usual names, which the
 * service checks.
 */
const newerVideo: VideoTraits = {
  ratioInput: "aspectRatio",
  ratios: null,
  shortSides: null,
  hasAudioSwitch: true,
  hasLastFrame: true,
  references: ["image", "video", "audio"],
  referenceMode: null,
  ratioFollowsFrame: false,
  needsRatioWithReferences: false,
};

const imageRatios: Readonly<Record<ImageModelId, readonly string[]>> = {
  "image-pro-2": ["1:1", "16:9", "9:16", "4:3", "3:4"],
  "image-plus-2": ["1:1", "16:9", "9:16", "4:3", "3:4", "3:2", "2:3", "4:5", "5:4", "21:9"],
};

export function traitsOfVideoModel(modelId: string): VideoTraits {
  return find(videoTraits, modelId) ?? newerVideo;
}

/** null: the model is newer than this package. */
export function ratiosOfImageModel(modelId: string): readonly string[] | null {
  return find(imageRatios, modelId) ?? null;
}

/** Refuses a model of the other kind. Whether there is another one, the service knows. */
export function requireKind(modelId: string, modelType: "videoModel" | "imageModel"): void {
  const others = modelType === "videoModel" ? imageRatios : videoTraits;
  if (find<unknown>(others, modelId) === undefined) return;
  const names = Object.keys(modelType === "videoModel" ? videoTraits : imageRatios).join(", ");
  const message = `No such ${modelType}: ${modelId}. There are ${names}.`;
  throw new NoSuchModelError({ modelId, modelType, message });
}

function find<Value>(known: Readonly<Record<string, Value>>, modelId: string): Value | undefined {
  return Object.hasOwn(known, modelId) ? known[modelId] : undefined;
}

function sameNames(...names: string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, name]));
}
