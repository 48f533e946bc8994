import { z } from "zod";
import { invalid, type Text } from "../errors.ts";
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
import { ratioOfResolution, sd2Fields } from "./sd2-fields.ts";
import { upscaleResolution, upscaleTargets } from "./upscale.ts";

/** The models that Ark serves. */
export interface Sd2Request extends VideoRequest {
  model: "sd2" | "sd2-fast";
  mode: "text-to-video" | "image-to-video" | "keyframe" | "reference";
  ratio: (typeof ratioOfResolution)[keyof typeof ratioOfResolution] | null;
  /** `null` is random. */
  seed: number | null;
  generateAudio: boolean;
}

export function isSd2Request(request: ModelRequest): request is Sd2Request {
  return request.model === "sd2" || request.model === "sd2-fast";
}

const resolutions = ["720x720", "720x960", "960x720", "1280x720", "720x1280", "1280x540"] as const;

/** The rendered short sides, from Ark's own table: `1080p` is a number of pixels, not a short side. */
const shortSidesRendered = {
  "720p": { "16:9": 720, "9:16": 720, "4:3": 834, "3:4": 834, "1:1": 960, "21:9": 630 },
  "1080p": { "16:9": 1080, "9:16": 1080, "4:3": 1248, "3:4": 1248, "1:1": 1440, "21:9": 946 },
};

/** Ark takes no longer side, and refuses one only after the task has waited in its queue. */
const arkSidePixelsMax = 6_000;
const frames: FileRules = { longSidePixelsMax: arkSidePixelsMax };
const references: FileRules = { ...frames, shortSidePixelsMin: 400 };
const videos: FileRules = {
  durationSecondsMax: 15,
  formats: ["mp4", "mov"],
  videoCodecs: ["h264", "hevc"], // Ark decodes no other
};
const audios: FileRules = { durationSecondsMax: 15, formats: ["wav", "mp3"] };

const imagesMax = 9;
const videosMax = 3;
const audiosMax = 3;
const filesMax = 12;

const setReference = "set videoInputMode to 'reference'";
const tooManyFrames = `accepts 1 image (the first frame) or 2 (first and last frame); for up to ${imagesMax} reference images ${setReference}`;
const keyframeCount =
  "accepts exactly 2 images with videoInputMode 'keyframe', the first and the last frame; to use only a first frame, omit videoInputMode";

type OutputResolutions = readonly [OutputResolution, ...OutputResolution[]];
type OutputResolutionInput = z.ZodDefault<z.ZodType<OutputResolution, OutputResolution>>;

/** The models of the family differ in what they render and what it costs. */
export function sd2Model(model: {
  name: Sd2Request["model"];
  title: string;
  summary: Text;
  /** The first is the default. */
  outputResolutions: OutputResolutions;
  /** What to do for another one, for the message of a refusal. */
  hint?: string;
}): VideoModel {
  const { name, title, summary, outputResolutions, hint } = model;
  const [usual] = outputResolutions;
  const video = videoInputs(oneOf(outputResolutions, hint).default(usual));
  const { textToVideo, imageToVideo, keyframe } = frameModes(name, video);
  const reference = referenceMode(name, video);
  return {
    name,
    kind: "video",
    title,
    summary,
    rateKeys: videoRateKeys(outputResolutions, { takesVideo: true, upscales: upscaleTargets }),
    needsReview: true,
    shortSidesRendered,
    modes: [textToVideo, imageToVideo, keyframe, reference],
    modeOf({ videoInputMode, urls }) {
      checkSelectors(videoInputMode, urls);
      if (videoInputMode === "reference") return reference;
      if (videoInputMode === "keyframe") return keyframe;
      if (!Array.isArray(urls)) return textToVideo;
      return urls.length === 2 ? keyframe : imageToVideo;
    },
  };
}

type VideoInputs = ReturnType<typeof videoInputs>;

function frameModes(name: Sd2Request["model"], video: VideoInputs) {
  const textToVideo = defineMode({
    name: "text-to-video",
    text: modeTexts.textToVideo,
    when: when.noUrls,
    inputs: z.strictObject({ prompt: requiredPrompt("text-to-video"), ...video }),
    fields: sd2Fields.textToVideo,
    example: { prompt: "A paper boat crosses a puddle at dusk", duration: "5s" },
    files: {},
    plan: (inputs) => plan(name, "text-to-video", inputs),
  });
  const imageToVideo = defineMode({
    name: "image-to-video",
    text: modeTexts.imageToVideo,
    when: {
      en: "1 url and no videoInputMode",
      zh: "urls 中有 1 个 URL，且未传 videoInputMode",
    },
    inputs: z.strictObject({
      prompt: prompt().optional(),
      urls: files("http", { min: 1, max: 1, error: tooManyFrames }),
      ...video,
    }),
    fields: sd2Fields.imageToVideo,
    example: { prompt: "The boat sets off", urls: ["https://example.com/boat.png"] },
    files: { urls: frames },
    plan: (inputs) => plan(name, "image-to-video", inputs),
  });
  const keyframe = defineMode({
    name: "keyframe",
    text: modeTexts.keyframe,
    when: {
      en: "2 urls and videoInputMode 'keyframe' or omitted",
      zh: "urls 中有 2 个 URL，且 videoInputMode 为 'keyframe' 或未传",
    },
    inputs: z.strictObject({
      prompt: prompt().optional(),
      urls: files("http", { min: 2, max: 2, error: keyframeCount }),
      videoInputMode: z.literal("keyframe").optional(),
      ...video,
    }),
    fields: sd2Fields.keyframe,
    example: {
      urls: ["https://example.com/start.png", "https://example.com/end.png"],
      videoInputMode: "keyframe",
    },
    files: { urls: frames },
    plan: (inputs) => plan(name, "keyframe", inputs),
  });
  return { textToVideo, imageToVideo, keyframe };
}

function referenceMode(name: Sd2Request["model"], video: VideoInputs) {
  return defineMode({
    name: "reference",
    text: modeTexts.references,
    when: { en: "videoInputMode 'reference'", zh: "videoInputMode 为 'reference'" },
    inputs: z.strictObject({ ...referenceInputs, ...video, resolution: requiredResolution }),
    fields: sd2Fields.reference,
    together: { requiresAny: ["urls", "videoUrls"], filesMax },
    example: {
      prompt: "The boat of image 1 moves like video 1",
      videoInputMode: "reference",
      urls: ["asset://asset-20260101000000-image"],
      videoUrls: ["asset://asset-20260101000000-video"],
      audioUrls: ["https://example.com/rain.mp3"],
      resolution: "1280x720",
    },
    files: { urls: references, videoUrls: videos, audioUrls: audios },
    plan: (inputs) => plan(name, "reference", checkReferences(inputs)),
  });
}

function checkSelectors(videoInputMode: unknown, urls: unknown): void {
  const modes: unknown[] = [undefined, "keyframe", "reference"];
  if (!modes.includes(videoInputMode))
    throw invalid(
      "inputs.videoInputMode",
      "must be 'keyframe' (first and last frame), 'reference' or omitted",
    );
  if (urls !== undefined && !Array.isArray(urls))
    throw invalid("inputs.urls", "must be a list of URLs");
  if (urls === undefined && videoInputMode === "keyframe")
    throw invalid("inputs.urls", keyframeCount);
}

function videoInputs(outputResolution: OutputResolutionInput) {
  return {
    duration: duration(4, 15, "s"),
    resolution: oneOf(resolutions).optional(),
    outputResolution,
    upscaleResolution,
    seed: seed(-1),
    generateAudio: z.boolean({ error: "must be true or false" }).default(true),
  };
}

const referenceInputs = {
  prompt: prompt().optional(),
  videoInputMode: z.literal("reference"),
  urls: files("http", atMost(imagesMax, "images")).optional(),
  videoUrls: files("assets only", atMost(videosMax, "videos")).optional(),
  audioUrls: files("no outputs", atMost(audiosMax, "audio files")).optional(),
};
const requiredResolution = oneOf(resolutions, "; it is required in reference mode");

/** The inputs of every mode in one: what a mode does not take is not there. */
interface Sd2Inputs {
  prompt?: string | undefined;
  urls?: MediaRef[] | undefined;
  videoUrls?: MediaRef[] | undefined;
  audioUrls?: MediaRef[] | undefined;
  duration: number;
  resolution?: keyof typeof ratioOfResolution | undefined;
  outputResolution: OutputResolution;
  upscaleResolution?: UpscaleResolution | undefined;
  seed?: number | null | undefined;
  generateAudio: boolean;
}

function plan(model: Sd2Request["model"], mode: Sd2Request["mode"], inputs: Sd2Inputs): Sd2Request {
  return {
    kind: "video",
    model,
    mode,
    prompt: inputs.prompt ?? null,
    images: inputs.urls ?? [],
    videos: inputs.videoUrls ?? [],
    videoSeconds: [],
    audios: inputs.audioUrls ?? [],
    durationSeconds: inputs.duration,
    ratio: inputs.resolution === undefined ? null : ratioOfResolution[inputs.resolution],
    outputResolution: inputs.outputResolution,
    upscaleResolution: inputs.upscaleResolution ?? null,
    seed: inputs.seed ?? null,
    generateAudio: inputs.generateAudio,
  };
}

function atMost(max: number, what: string) {
  return { min: 1, max, error: `accepts at most ${max} ${what}` };
}

function checkReferences(inputs: Sd2Inputs): Sd2Inputs {
  const { urls = [], videoUrls = [], audioUrls = [] } = inputs;
  if (urls.length + videoUrls.length === 0)
    throw audioUrls.length === 0
      ? invalid("inputs.urls", {
          en: "reference mode needs at least one image (urls) or video (videoUrls)",
          zh: "参考模式至少需要一张图片（urls）或一个视频（videoUrls）",
        })
      : invalid("inputs.audioUrls", {
          en: "cannot be the only reference: add at least one image (urls) or video (videoUrls)",
          zh: "不能只有音频参考：请至少添加一张图片（urls）或一个视频（videoUrls）",
        });
  const count = urls.length + videoUrls.length + audioUrls.length;
  if (count > filesMax)
    throw invalid(
      "inputs.audioUrls", // 9 images and 3 videos alone are 12
      {
        en: `urls, videoUrls and audioUrls accept at most ${filesMax} files in total, but there are ${count}`,
        zh: `urls、videoUrls 和 audioUrls 合计最多 ${filesMax} 个文件，现有 ${count} 个`,
      },
    );
  return inputs;
}
