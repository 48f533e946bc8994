import { z } from "zod";
import { invalid } from "../errors.ts";
import { cutPrompt } from "./cut-prompt.ts";
import { firstFrameFields, selectorField } from "./fields.ts";
import type { FileRules } from "./file-rules.ts";
import { duration, files, oneOf, prompt, requiredPrompt, seed } from "./inputs.ts";
import { modeTexts, when } from "./mode-texts.ts";
import { defineMode, type VideoModel } from "./model.ts";
import { videoRateKeys } from "./rates.ts";
import type {
  MediaRef,
  ModelRequest,
  OutputResolution,
  UpscaleResolution,
  VideoRequest,
} from "./request.ts";
import { upscaleResolution, upscaleTargets } from "./upscale.ts";

export interface HappyhorseRequest extends VideoRequest {
  model: "happyhorse";
  mode: "text-to-video" | "image-to-video" | "reference-to-video";
  /** image-to-video always follows its first frame. */
  ratio: "16:9" | "9:16" | "1:1" | "4:3" | "3:4" | null;
  /** `null` is random. */
  seed: number | null;
}

export function isHappyhorseRequest(request: ModelRequest): request is HappyhorseRequest {
  return request.model === "happyhorse";
}

const promptUnitsMax = 5_000;
const images: FileRules = {
  shortSidePixelsMin: 300,
  ratioMax: [5, 2],
  sizeMegabytesMax: 10,
  formats: ["jpeg", "png", "bmp", "webp"],
};

const imagesMax = 9;
const oneImage = `accepts exactly 1 image, the first frame; for up to ${imagesMax} reference images set videoWorkflowTab to 'multi-reference'`;
const references = `accepts 1 to ${imagesMax} reference images with videoWorkflowTab 'multi-reference'`;

const video = {
  duration: duration(3, 15, ""),
  outputResolution: oneOf(["720p", "1080p"]).default("720p"),
  upscaleResolution,
  ratio: oneOf(["16:9", "9:16", "1:1", "4:3", "3:4"]).optional(),
  seed: seed(0),
};

const textToVideo = defineMode({
  name: "text-to-video",
  text: modeTexts.textToVideo,
  when: when.noUrls,
  inputs: z.strictObject({ prompt: requiredPrompt("text-to-video"), ...video }),
  fields: { prompt: { unitsMax: promptUnitsMax } },
  example: { prompt: "A horse in the surf", duration: "5", ratio: "16:9" },
  files: {},
  plan: (inputs) => plan("text-to-video", inputs),
});

const imageToVideo = defineMode({
  name: "image-to-video",
  text: modeTexts.imageToVideo,
  when: {
    en: "1 url and no videoWorkflowTab",
    zh: "urls 中有 1 个 URL，且未传 videoWorkflowTab",
  },
  inputs: z.strictObject({
    prompt: prompt().optional(),
    urls: files("https", { min: 1, max: 1, error: oneImage }),
    ...video,
  }),
  fields: {
    urls: firstFrameFields.urls,
    prompt: { ...firstFrameFields.prompt, unitsMax: promptUnitsMax },
    ratio: {
      description: {
        en: "Has no effect: the video has the aspect ratio of the first frame.",
        zh: "不生效：视频的宽高比与首帧图片一致。",
      },
      control: "unused",
    },
  },
  example: { urls: ["https://example.com/horse.png"] },
  files: { urls: images },
  plan: (inputs) => ({ ...plan("image-to-video", inputs), ratio: null }),
});

const referenceToVideo = defineMode({
  name: "reference-to-video",
  text: modeTexts.referenceImages,
  when: {
    en: "videoWorkflowTab 'multi-reference'",
    zh: "videoWorkflowTab 为 'multi-reference'",
  },
  inputs: z.strictObject({
    prompt: requiredPrompt("reference-to-video"),
    urls: files("https", { min: 1, max: imagesMax, error: references }),
    videoWorkflowTab: z.literal("multi-reference"),
    ...video,
  }),
  fields: {
    prompt: {
      description: {
        en: "Description of the video. character1, character2, … refer to the urls in order.",
        zh: "描述要生成的视频内容。用 character1、character2 等按顺序指代 urls 中的参考图片。",
      },
      unitsMax: promptUnitsMax,
    },
    videoWorkflowTab: {
      ...selectorField,
      title: { en: "Workflow", zh: "工作流" },
    },
  },
  example: {
    prompt: "character1 races character2 along the beach",
    urls: ["https://example.com/bay.png", "https://example.com/grey.png"],
    videoWorkflowTab: "multi-reference",
  },
  files: { urls: images },
  plan: (inputs) => plan("reference-to-video", inputs),
});

export const happyhorse: VideoModel = {
  name: "happyhorse",
  kind: "video",
  title: "HappyHorse",
  summary: {
    en: "Cost-efficient video without an audio option.",
    zh: "高性价比视频生成，不提供音频选项。",
  },
  rateKeys: videoRateKeys(["720p", "1080p"], { takesVideo: false, upscales: upscaleTargets }),
  needsReview: false,
  modes: [textToVideo, imageToVideo, referenceToVideo],
  modeOf({ videoWorkflowTab, urls }) {
    if (videoWorkflowTab !== undefined && videoWorkflowTab !== "multi-reference")
      throw invalid("inputs.videoWorkflowTab", "must be 'multi-reference' or omitted");
    if (urls !== undefined && !Array.isArray(urls))
      throw invalid("inputs.urls", "must be a list of URLs");
    if (videoWorkflowTab === undefined) return urls === undefined ? textToVideo : imageToVideo;
    if (urls === undefined) throw invalid("inputs.urls", references);
    return referenceToVideo;
  },
};

interface HappyhorseInputs {
  prompt?: string | undefined;
  urls?: MediaRef[] | undefined;
  duration: number;
  outputResolution: OutputResolution;
  upscaleResolution?: UpscaleResolution | undefined;
  ratio?: NonNullable<HappyhorseRequest["ratio"]> | undefined;
  seed?: number | null | undefined;
}

function plan(mode: HappyhorseRequest["mode"], inputs: HappyhorseInputs): HappyhorseRequest {
  const prompt = inputs.prompt === undefined ? null : cutPrompt(inputs.prompt, promptUnitsMax);
  return {
    kind: "video",
    model: "happyhorse",
    mode,
    prompt,
    ...(prompt === (inputs.prompt ?? null) ? {} : { promptCut: { unitsMax: promptUnitsMax } }),
    images: inputs.urls ?? [],
    videos: [],
    videoSeconds: [],
    audios: [],
    durationSeconds: inputs.duration,
    ratio: inputs.ratio ?? null,
    outputResolution: inputs.outputResolution,
    upscaleResolution: inputs.upscaleResolution ?? null,
    seed: inputs.seed ?? null,
  };
}
