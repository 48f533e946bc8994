import { oneOf } from "./inputs.ts";
import { sd2Model } from "./sd2-family.ts";

export const sd2Fast = sd2Model({
  name: "sd2-fast",
  title: "SD2 Fast",
  summary: {
    en: "Video at lower cost, rendered in 720p.",
    zh: "低成本视频生成，输出 720p。",
  },
  outputResolution: oneOf(
    ["720p"],
    "; for 1080p with sd2-fast, set upscaleResolution to '1080p'",
  ).default("720p"),
  prices: { "720p": { plain: { A: 5, B: 32 }, withVideo: { A: 4, B: 24 } } },
});
