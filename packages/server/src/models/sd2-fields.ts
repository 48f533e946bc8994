import { same } from "../errors.ts";
import { type Field, firstFrameFields, selectorField } from "./fields.ts";

/** `resolution` only selects the aspect ratio; the pixels come from the model. */
export const ratioOfResolution = {
  "720x720": "1:1",
  "720x960": "3:4",
  "960x720": "4:3",
  "1280x720": "16:9",
  "720x1280": "9:16",
  "1280x540": "21:9",
} as const;

/** The fields of every mode in which the models of the family differ from others. */
const ofFamily = {
  resolution: {
    title: { en: "Aspect ratio", zh: "宽高比" },
    description: {
      en: "Selects the aspect ratio. If omitted, the model chooses it.",
      zh: "选择视频的宽高比；不传时由模型决定。",
    },
    help: {
      en: "Aspect ratio of the video. If none is chosen, the model chooses it.",
      zh: "视频的宽高比；不选择时由模型决定。",
    },
    control: "ratio",
    order: 60,
    labels: Object.fromEntries(
      Object.entries(ratioOfResolution).map(([value, ratio]) => [value, same(ratio)]),
    ),
  },
  seed: {
    description: { en: "Random if omitted or -1.", zh: "不传或传 -1 时随机取值。" },
    help: { en: "Random if empty.", zh: "留空则随机取值。" },
  },
} as const satisfies Record<string, Partial<Field>>;

const videoInputMode: Field = {
  title: { en: "Input mode", zh: "输入模式" },
  ...selectorField,
};

export const sd2Fields = {
  textToVideo: ofFamily,
  imageToVideo: { ...ofFamily, ...firstFrameFields },
  keyframe: {
    ...ofFamily,
    videoInputMode,
    prompt: {
      description: {
        en: "Description of the motion between the frames.",
        zh: "描述从首帧到尾帧的画面变化。",
      },
    },
    urls: {
      title: { en: "First and last frame", zh: "首帧和尾帧图片" },
      description: { en: "First and last frame.", zh: "依次为视频的首帧和尾帧图片。" },
      fileTitles: [firstFrameFields.urls.title, { en: "Last frame", zh: "尾帧图片" }],
    },
  },
  reference: {
    ...ofFamily,
    videoInputMode,
    prompt: {
      description: {
        en: "Description of the video. Refer to the references by kind and number, such as 'image 1'.",
        zh: "描述要生成的视频内容。用素材类型加序号指代参考素材，例如“图片1”“视频1”。",
      },
    },
    audioUrls: {
      description: {
        en: "Reference audio files. Requires at least one reference image or video.",
        zh: "参考音频，须与至少一张参考图片或一段参考视频一起使用。",
      },
    },
    resolution: {
      ...ofFamily.resolution,
      description: { en: "Selects the aspect ratio.", zh: "选择视频的宽高比。" },
    },
  },
} as const;
