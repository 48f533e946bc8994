import { z } from "zod";
import { files, oneOf, requiredPrompt } from "./inputs.ts";
import { defineMode, type Mode, type Model } from "./model.ts";
import type { ImageRequest, MediaRef } from "./request.ts";

const imagesMax = 10;
const ratios = ["1:1", "16:9", "9:16", "4:3", "3:4"] as const;
const moreRatios = [...ratios, "3:2", "2:3", "4:5", "5:4", "21:9"] as const;

const resolution = oneOf(["1k", "2k", "4k"], "Size of the image.").default("2k");
const aspectRatio = (values: readonly [string, ...string[]]) =>
  oneOf(values, "Aspect ratio of the image.").default("1:1");

const pro = {
  quality: oneOf(["medium", "high"], "How much work goes into the image.").default("medium"),
  resolution,
  aspectRatio: aspectRatio(ratios),
  outputFormat: oneOf(["png", "jpeg", "webp"], "Format of the file.").default("png"),
};
const plus = { resolution, aspectRatio: aspectRatio(moreRatios) };

const textToImage = {
  name: "text-to-image",
  when: "no urls",
  inputs: { prompt: requiredPrompt("text-to-image", "What the image shows.") },
  example: { prompt: "A lighthouse in fog, woodcut", resolution: "2k" as const },
};
const edit = {
  name: "edit",
  when: "1 or more urls",
  inputs: {
    prompt: requiredPrompt("edit", "What to change in the reference images, or make of them."),
    urls: files(
      "https",
      { min: 1, max: imagesMax, error: `takes at most ${imagesMax} reference images` },
      "Reference images.",
    ),
  },
  example: { prompt: "Make it night", urls: ["https://example.com/lighthouse.png"] },
};

export const imagePro2 = imageModel("image-pro-2", "Images, with a choice of quality and format.", {
  textToImage: defineMode({
    ...textToImage,
    inputs: z.strictObject({ ...textToImage.inputs, ...pro }),
    plan: (inputs) => plan("image-pro-2", "text-to-image", inputs),
  }),
  edit: defineMode({
    ...edit,
    inputs: z.strictObject({ ...edit.inputs, ...pro }),
    plan: (inputs) => plan("image-pro-2", "edit", inputs),
  }),
});

export const imagePlus2 = imageModel("image-plus-2", "Images, with more aspect ratios.", {
  textToImage: defineMode({
    ...textToImage,
    inputs: z.strictObject({ ...textToImage.inputs, ...plus }),
    plan: (inputs) => plan("image-plus-2", "text-to-image", inputs),
  }),
  edit: defineMode({
    ...edit,
    inputs: z.strictObject({ ...edit.inputs, ...plus }),
    plan: (inputs) => plan("image-plus-2", "edit", inputs),
  }),
});

function imageModel(
  name: ImageRequest["model"],
  summary: string,
  modes: { textToImage: Mode; edit: Mode },
): Model {
  return {
    name,
    kind: "image",
    summary,
    modes: [modes.textToImage, modes.edit],
    modeOf: ({ urls }) => (urls === undefined ? modes.textToImage : modes.edit),
  };
}

interface ImageInputs {
  prompt: string;
  urls?: MediaRef[];
  quality?: "medium" | "high";
  resolution: ImageRequest["resolution"];
  aspectRatio: string;
  outputFormat?: "png" | "jpeg" | "webp";
}

function plan(
  model: ImageRequest["model"],
  mode: ImageRequest["mode"],
  inputs: ImageInputs,
): ImageRequest {
  return {
    model,
    mode,
    prompt: inputs.prompt,
    images: inputs.urls ?? [],
    resolution: inputs.resolution,
    aspectRatio: inputs.aspectRatio,
    quality: inputs.quality ?? null,
    outputFormat: inputs.outputFormat ?? null,
  };
}
