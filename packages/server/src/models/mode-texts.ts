import type { Text } from "../errors.ts";

/** The name and the description of a mode. */
export interface ModeText {
  title: Text;
  description: Text;
}

/** Modes that several models share. */
export const modeTexts = {
  textToVideo: {
    title: { en: "Text to video", zh: "文生视频" },
    description: {
      en: "Generates a video from a prompt alone.",
      zh: "仅根据提示词生成视频。",
    },
  },
  imageToVideo: {
    title: { en: "Image to video", zh: "图生视频（首帧）" },
    description: {
      en: "Generates a video that begins with an image.",
      zh: "以一张图片作为首帧生成视频。",
    },
  },
  keyframe: {
    title: { en: "First and last frame", zh: "图生视频（首尾帧）" },
    description: {
      en: "Generates a video from its first to its last frame.",
      zh: "根据首帧和尾帧图片生成中间过渡的视频。",
    },
  },
  references: {
    title: { en: "References to video", zh: "多模态参考生视频" },
    description: {
      en: "Generates a video after reference images, videos and audio.",
      zh: "参考图片、视频和音频素材生成视频。",
    },
  },
  referenceImages: {
    title: { en: "Reference images to video", zh: "参考生视频" },
    description: {
      en: "Generates a video with the characters and objects of reference images.",
      zh: "以参考图片中的角色或物体为主体生成视频。",
    },
  },
  textToImage: {
    title: { en: "Text to image", zh: "文生图" },
    description: {
      en: "Generates an image from a prompt alone.",
      zh: "仅根据提示词生成图片。",
    },
  },
  edit: {
    title: { en: "Edit images", zh: "图片编辑" },
    description: {
      en: "Edits or combines reference images as the prompt says.",
      zh: "按提示词编辑或融合参考图片。",
    },
  },
} as const satisfies Record<string, ModeText>;

/** The texts that say what selects a mode, for modes that several models share. */
export const when = {
  noUrls: { en: "no urls", zh: "未传 urls" },
  someUrls: { en: "1 or more urls", zh: "urls 中有至少 1 个 URL" },
} as const satisfies Record<string, Text>;
