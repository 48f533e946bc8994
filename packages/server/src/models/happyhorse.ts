import { z } from "zod";
import { invalid } from "../errors.ts";
import { cutPrompt } from "./cut-prompt.ts";
import { duration, files, oneOf, prompt, requiredPrompt, seed } from "./inputs.ts";
import { defineMode, type Model } from "./model.ts";
import type {
  HappyhorseRequest,
  MediaRef,
  OutputResolution,
  UpscaleResolution,
} from "./request.ts";
import { checkUpscale, upscaleResolution } from "./upscale.ts";

const imagesMax = 9;
const oneImage = `takes exactly 1 image, the first frame; for up to ${imagesMax} reference images set videoWorkflowTab to 'multi-reference'`;
const references = `takes 1 to ${imagesMax} reference images with videoWorkflowTab 'multi-reference'`;

const video = {
  duration: duration(3, 15, ""),
  outputResolution: oneOf(["720p", "1080p"], "What the model renders.").default("720p"),
  upscaleResolution,
  ratio: oneOf(
    ["16:9", "9:16", "1:1", "4:3", "3:4"],
    "Aspect ratio; image-to-video takes it from the first frame instead.",
  ).optional(),
  seed: seed(0),
};

const textToVideo = defineMode({
  name: "text-to-video",
  when: "no urls",
  inputs: z.strictObject({
    prompt: requiredPrompt("text-to-video", "What the video shows."),
    ...video,
  }),
  example: { prompt: "A horse in the surf", duration: "5", ratio: "16:9" },
  plan: (inputs) => plan("text-to-video", inputs),
});

const imageToVideo = defineMode({
  name: "image-to-video",
  when: "1 url and no videoWorkflowTab",
  inputs: z.strictObject({
    prompt: prompt("What happens in the video.").optional(),
    urls: files("https", { min: 1, max: 1, error: oneImage }, "The first frame."),
    ...video,
  }),
  example: { urls: ["https://example.com/horse.png"] },
  plan: (inputs) => ({ ...plan("image-to-video", inputs), ratio: null }),
});

const referenceToVideo = defineMode({
  name: "reference-to-video",
  when: "videoWorkflowTab 'multi-reference'",
  inputs: z.strictObject({
    prompt: requiredPrompt(
      "reference-to-video",
      "What the video shows; character1, character2, … are the urls in their order.",
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
  plan: (inputs) => plan("reference-to-video", inputs),
});

export const happyhorse: Model = {
  name: "happyhorse",
  kind: "video",
  summary: "Cost-efficient video without sound options.",
  modes: [textToVideo, imageToVideo, referenceToVideo],
  modeOf({ videoWorkflowTab, urls }) {
    if (videoWorkflowTab !== undefined && videoWorkflowTab !== "multi-reference")
      throw invalid("inputs.videoWorkflowTab", "must be 'multi-reference' or be left out");
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
  const prompt = inputs.prompt === undefined ? null : cutPrompt(inputs.prompt);
  return {
    model: "happyhorse",
    mode,
    prompt,
    ...(prompt === (inputs.prompt ?? null) ? {} : { promptCut: true }),
    images: inputs.urls ?? [],
    durationSeconds: inputs.duration,
    ratio: inputs.ratio ?? null,
    outputResolution: inputs.outputResolution,
    upscaleResolution: checkUpscale(inputs.upscaleResolution, inputs.outputResolution),
    seed: inputs.seed ?? null,
  };
}
