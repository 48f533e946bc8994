import { z } from "zod";
import { invalid } from "../errors.ts";
import { cutPrompt } from "./cut-prompt.ts";
import type { FileRules } from "./file-rules.ts";
import { duration, files, oneOf, prompt, requiredPrompt, seed } from "./inputs.ts";
import { defineMode, type VideoModel } from "./model.ts";
import type {
  MediaRef,
  ModelRequest,
  OutputResolution,
  UpscaleResolution,
  VideoRequest,
} from "./request.ts";
import { upscaleResolution } from "./upscale.ts";

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
  outputResolution: oneOf(["720p", "1080p"], "Resolution that the model renders.").default("720p"),
  upscaleResolution,
  ratio: oneOf(
    ["16:9", "9:16", "1:1", "4:3", "3:4"],
    "Aspect ratio of the video. image-to-video uses the aspect ratio of the first frame instead.",
  ).optional(),
  seed: seed(0),
};

const textToVideo = defineMode({
  name: "text-to-video",
  when: "no urls",
  inputs: z.strictObject({
    prompt: requiredPrompt("text-to-video", "Description of the video."),
    ...video,
  }),
  example: { prompt: "A horse in the surf", duration: "5", ratio: "16:9" },
  files: {},
  plan: (inputs) => plan("text-to-video", inputs),
});

const imageToVideo = defineMode({
  name: "image-to-video",
  when: "1 url and no videoWorkflowTab",
  inputs: z.strictObject({
    prompt: prompt("Description of the motion.").optional(),
    urls: files("https", { min: 1, max: 1, error: oneImage }, "The first frame."),
    ...video,
  }),
  example: { urls: ["https://example.com/horse.png"] },
  files: { urls: images },
  plan: (inputs) => ({ ...plan("image-to-video", inputs), ratio: null }),
});

const referenceToVideo = defineMode({
  name: "reference-to-video",
  when: "videoWorkflowTab 'multi-reference'",
  inputs: z.strictObject({
    prompt: requiredPrompt(
      "reference-to-video",
      "Description of the video. character1, character2, … refer to the urls in order.",
    ),
    urls: files("https", { min: 1, max: imagesMax, error: references }, "Reference images."),
    videoWorkflowTab: z.literal("multi-reference"),
    ...video,
  }),
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
  summary: "Cost-efficient video without an audio option.",
  prices: {
    "720p": { plain: { A: 5, B: 32 } },
    "1080p": { plain: { A: 9, B: 60 } },
  },
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
