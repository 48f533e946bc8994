import type { Text } from "../errors.ts";
import type { FileRules } from "./file-rules.ts";
import { files, oneOf, requiredPrompt } from "./inputs.ts";
import { modeTexts, when } from "./mode-texts.ts";
import type { ImageModel, Mode } from "./model.ts";
import { imageRateKey } from "./rates.ts";
import type { ImageRequest, MediaRef } from "./request.ts";

const imagesMax = 10;
const references: FileRules = {
  shortSidePixelsMin: 256,
  ratioMax: [3, 1],
  sizeMegabytesMax: 50,
  formats: ["jpeg", "png", "webp"],
};

export const ratios = ["1:1", "16:9", "9:16", "4:3", "3:4"] as const;
const resolutions = ["1k", "2k", "4k"] as const;
export const resolution = oneOf(resolutions).default("2k");
export const aspectRatio = (values: readonly [string, ...string[]]) => oneOf(values).default("1:1");

export const textToImage = {
  name: "text-to-image",
  text: modeTexts.textToImage,
  when: when.noUrls,
  inputs: { prompt: requiredPrompt("text-to-image") },
  fields: {
    prompt: {
      description: { en: "Description of the image.", zh: "描述要生成的图片内容。" },
    },
  },
  example: { prompt: "A lighthouse in fog, woodcut", resolution: "2k" as const },
  files: {},
};
export const edit = {
  name: "edit",
  text: modeTexts.edit,
  when: when.someUrls,
  inputs: {
    prompt: requiredPrompt("edit"),
    urls: files("https", {
      min: 1,
      max: imagesMax,
      error: `accepts at most ${imagesMax} reference images`,
    }),
  },
  fields: {
    prompt: {
      description: {
        en: "Edit instruction for the reference images.",
        zh: "描述如何编辑参考图片。",
      },
    },
  },
  example: { prompt: "Make it night", urls: ["https://example.com/lighthouse.png"] },
  files: { urls: references },
};

export function imageModel(model: {
  name: string;
  title: string;
  summary: Text;
  /** The qualities between which there is a choice; `[null]` without one. */
  qualities: readonly (string | null)[];
  textToImage: Mode;
  edit: Mode;
}): ImageModel {
  const { name, title, summary, qualities } = model;
  return {
    name,
    kind: "image",
    title,
    summary,
    rateKeys: resolutions.flatMap((one) => qualities.map((quality) => imageRateKey(one, quality))),
    needsReview: false,
    modes: [model.textToImage, model.edit],
    modeOf: ({ urls }) => (urls === undefined ? model.textToImage : model.edit),
  };
}

interface ImageInputs {
  prompt: string;
  urls?: MediaRef[];
  quality?: string;
  resolution: ImageRequest["resolution"];
  aspectRatio: string;
  outputFormat?: string;
}

export function planImage(model: string, mode: string, inputs: ImageInputs): ImageRequest {
  return {
    kind: "image",
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
