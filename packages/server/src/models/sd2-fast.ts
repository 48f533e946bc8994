import { sd2Model } from "./sd2-family.ts";

export const sd2Fast = sd2Model({
  name: "sd2-fast",
  title: "SD2 Fast",
  summary: {
    en: "Video at lower cost, rendered in 720p.",
    zh: "低成本视频生成，输出 720p。",
  },
  outputResolutions: ["720p"],
  hint: "; for 1080p with sd2-fast, set upscaleResolution to '1080p'",
});
