import { same, type Text } from "../errors.ts";

/**
 * The controls with which a form shows an input. `seconds` sends the number as text; `fixed` is sent with
 * its only value and not shown; `unused` has no effect and is left out.
 */
export const controls = [
  "prompt",
  "files",
  "seconds",
  "ratio",
  "resolution",
  "choice",
  "toggle",
  "seed",
  "fixed",
  "unused",
] as const;

/** The description of an input for a form. Its limits come from the rules themselves. */
export interface Field {
  title: Text;
  /** The description for people who write requests. */
  description: Text;
  /** The description for people who fill in the form, where it differs. */
  help?: Text;
  control: (typeof controls)[number];
  /** Ascending from the top of the form; no two inputs of a mode have the same. */
  order: number;
  /** Most people leave it as it is. */
  isAdvanced?: boolean;
  /** The labels of values that are not self-explanatory. */
  labels?: Readonly<Record<string, Text>>;
  /** The titles of files whose position has a meaning. */
  fileTitles?: readonly Text[];
  /** The model reads this much of the text, where a CJK character counts twice. */
  unitsMax?: number;
}

/** Every input that several modes share, as most of them use it. A mode overrides what differs. */
export const sharedFields = {
  prompt: {
    title: { en: "Prompt", zh: "提示词" },
    description: { en: "Description of the video.", zh: "描述要生成的视频内容。" },
    control: "prompt",
    order: 10,
  },
  urls: {
    title: { en: "Reference images", zh: "参考图片" },
    description: { en: "Reference images.", zh: "参考图片。" },
    control: "files",
    order: 20,
  },
  videoUrls: {
    title: { en: "Reference videos", zh: "参考视频" },
    description: {
      en: "Reference videos. Their duration counts towards the price.",
      zh: "参考视频，其时长计入费用。",
    },
    control: "files",
    order: 30,
  },
  audioUrls: {
    title: { en: "Reference audio", zh: "参考音频" },
    description: { en: "Reference audio files.", zh: "参考音频。" },
    control: "files",
    order: 40,
  },
  duration: {
    title: { en: "Duration", zh: "时长" },
    description: {
      en: "Length of the video: whole seconds as text, with or without an 's', or as a number.",
      zh: "视频时长，整数秒，以字符串传入，可带后缀 s，也可用数字。",
    },
    control: "seconds",
    order: 50,
  },
  ratio: {
    title: { en: "Aspect ratio", zh: "宽高比" },
    description: { en: "Aspect ratio of the video.", zh: "视频的宽高比。" },
    control: "ratio",
    order: 60,
  },
  aspectRatio: {
    title: { en: "Aspect ratio", zh: "宽高比" },
    description: { en: "Aspect ratio of the image.", zh: "图片的宽高比。" },
    control: "ratio",
    order: 60,
  },
  outputResolution: {
    title: { en: "Resolution", zh: "分辨率" },
    description: {
      en: "Resolution that the model renders.",
      zh: "模型生成视频的分辨率。",
    },
    control: "resolution",
    order: 70,
  },
  resolution: {
    title: { en: "Resolution", zh: "分辨率" },
    description: { en: "Resolution of the image.", zh: "图片的分辨率。" },
    control: "resolution",
    order: 80,
  },
  upscaleResolution: {
    title: { en: "Upscale to", zh: "超分至" },
    description: {
      en: "Upscales the rendered video. Must be higher than outputResolution and than the resolution that is rendered.",
      zh: "对生成的视频进行超分的目标分辨率，须高于 outputResolution，且高于视频实际生成的分辨率。",
    },
    help: {
      en: "Upscales the finished video. Must be higher than its resolution.",
      zh: "将生成的视频超分到更高的分辨率，须高于视频本身的分辨率。",
    },
    control: "resolution",
    order: 90,
    labels: { "1080p": same("1080p"), "2k": same("2K"), "4k": same("4K") },
  },
  quality: {
    title: { en: "Quality", zh: "质量" },
    description: { en: "Rendering quality.", zh: "图片的生成质量。" },
    control: "choice",
    order: 70,
    labels: { medium: { en: "Medium", zh: "中" }, high: { en: "High", zh: "高" } },
  },
  generateAudio: {
    title: { en: "Generate audio", zh: "生成音频" },
    description: {
      en: "Whether to generate synchronized audio. false gives a silent video.",
      zh: "是否生成与画面同步的音频；为 false 时输出无声视频。",
    },
    help: {
      en: "Adds audio that matches the video. Without it the video is silent.",
      zh: "生成与画面同步的音频；关闭时视频无声。",
    },
    control: "toggle",
    order: 100,
  },
  outputFormat: {
    title: { en: "File format", zh: "文件格式" },
    description: { en: "File format of the image.", zh: "图片的文件格式。" },
    control: "choice",
    order: 110,
    isAdvanced: true,
    labels: { png: same("PNG"), jpeg: same("JPEG"), webp: same("WebP") },
  },
  seed: {
    title: { en: "Seed", zh: "随机种子" },
    description: { en: "Random if omitted.", zh: "不传时随机取值。" },
    help: { en: "Random if empty.", zh: "留空则随机取值。" },
    control: "seed",
    order: 120,
    isAdvanced: true,
  },
} as const satisfies Record<string, Field>;

export type SharedInput = keyof typeof sharedFields;

/** The fields of a mode's inputs: overrides of those that are shared, and all others in full. */
export type FieldsOf<Name extends PropertyKey> = {
  readonly [Shared in Extract<Name, SharedInput>]?: Partial<Field>;
} & { readonly [Own in Exclude<Name, SharedInput>]: Field };

/** The fields of a mode that takes a video's first frame. */
export const firstFrameFields = {
  prompt: { description: { en: "Description of the motion.", zh: "描述画面如何运动。" } },
  urls: {
    title: { en: "First frame", zh: "首帧图片" },
    description: { en: "The first frame.", zh: "视频的首帧图片。" },
  },
} as const satisfies Record<string, Partial<Field>>;

/** The field of an input whose only value selects the mode. */
export const selectorField = {
  description: { en: "Selects this mode.", zh: "用于选择此模式，取值固定。" },
  control: "fixed",
  order: 1,
} as const satisfies Partial<Field>;
