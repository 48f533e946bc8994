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
import { defineMode } from "./model.ts";

const name = "image-plus-2";
const own = {
  resolution,
  aspectRatio: aspectRatio([...ratios, "3:2", "2:3", "4:5", "5:4", "21:9"]),
};

export const imagePlus2 = imageModel({
  name,
  title: "Image Plus 2",
  summary: { en: "Images, with more aspect ratios.", zh: "图片生成，支持更多宽高比。" },
  qualities: [null],
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
