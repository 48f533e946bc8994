import { NoSuchModelError } from "@ai-sdk/provider";
import type { ModelName } from "@zoetrope/sdk";

export type VideoModelId = Extract<ModelName, "sd2" | "sd2-fast" | "happyhorse">;
export type ImageModelId = Exclude<ModelName, VideoModelId>;

type Kind = "image" | "video" | "audio";

export interface VideoTraits {
  /** The input that selects the aspect ratio, and its value for each ratio. */
  ratioInput: "resolution" | "ratio";
  ratios: Readonly<Record<string, string>>;
  /** Short sides in pixels that the model renders. */
  shortSides: readonly number[];
  hasAudioSwitch: boolean;
  hasLastFrame: boolean;
  /** Kinds of references, and the inputs that select the mode for them. */
  references: readonly Kind[];
  referenceMode: Readonly<Record<string, string>>;
  /** With a first frame, the frame decides the aspect ratio. */
  ratioFollowsFrame: boolean;
  /** With references, the service requires an aspect ratio. */
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

const imageRatios: Readonly<Record<ImageModelId, readonly string[]>> = {
  "image-pro-2": ["1:1", "16:9", "9:16", "4:3", "3:4"],
  "image-plus-2": ["1:1", "16:9", "9:16", "4:3", "3:4", "3:2", "2:3", "4:5", "5:4", "21:9"],
};

export function traitsOfVideoModel(modelId: string): VideoTraits {
  return require(videoTraits, modelId, "videoModel");
}

export function ratiosOfImageModel(modelId: string): readonly string[] {
  return require(imageRatios, modelId, "imageModel");
}

function require<Value>(
  known: Readonly<Record<string, Value>>,
  modelId: string,
  modelType: "videoModel" | "imageModel",
): Value {
  const found = Object.hasOwn(known, modelId) ? known[modelId] : undefined;
  if (found !== undefined) return found;
  const names = Object.keys(known).join(", ");
  const message = `No such ${modelType}: ${modelId}. There are ${names}.`;
  throw new NoSuchModelError({ modelId, modelType, message });
}

function sameNames(...names: string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, name]));
}
