import { oneOf } from "./inputs.ts";
import { sd2Model } from "./sd2-family.ts";

export const sd2 = sd2Model({
  name: "sd2",
  title: "SD2",
  summary: {
    en: "Video in high quality, native 1080p.",
    zh: "高质量视频生成，支持原生 1080p。",
  },
  outputResolution: oneOf(["720p", "1080p"]).default("720p"),
  prices: {
    "720p": { plain: { A: 6, B: 40 }, withVideo: { A: 4, B: 30 } },
    "1080p": { plain: { A: 15, B: 100 }, withVideo: { A: 11, B: 75 } },
  },
});
