import { z } from "zod";
import {
  aspectRatio,
  edit,
  imageModel,
  planImage,
  ratios,
  resolution,
  textToImage,
} from "./image-family.ts";
import { oneOf } from "./inputs.ts";
import { defineMode } from "./model.ts";

const name = "image-pro-2";
const own = {
  quality: oneOf(["medium", "high"]).default("medium"),
  resolution,
  aspectRatio: aspectRatio(ratios),
  outputFormat: oneOf(["png", "jpeg", "webp"]).default("png"),
};

export const imagePro2 = imageModel({
  name,
  title: "Image Pro 2",
  summary: {
    en: "Images, with a choice of quality and format.",
    zh: "图片生成，可选择生成质量和文件格式。",
  },
  qualities: ["medium", "high"],
  textToImage: defineMode({
    ...textToImage,
    inputs: z.strictObject({ ...textToImage.inputs, ...own }),
    plan: (inputs) => planImage(name, "text-to-image", inputs),
  }),
  edit: defineMode({
    ...edit,
    inputs: z.strictObject({ ...edit.inputs, ...own }),
    plan: (inputs) => planImage(name, "edit", inputs),
  }),
});
