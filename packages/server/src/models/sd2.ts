import { sd2Model } from "./sd2-family.ts";

export const sd2 = sd2Model({
  name: "sd2",
  title: "SD2",
  summary: {
    en: "Video in high quality, native 1080p.",
    zh: "高质量视频生成，支持原生 1080p。",
  },
  outputResolutions: ["720p", "1080p"],
});
