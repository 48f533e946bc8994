import type { Text } from "../../errors.ts";
import { unknownFileTexts } from "./sniff.ts";

/** The predicates of sentences about files that a probe refuses, and of damaged ones, in every language. */
export const fileFaultTexts: readonly Text[] = [
  { en: "is damaged", zh: "已损坏" },
  { en: "is animated; send a single image", zh: "是动画；请发送单张图片" },
  {
    en: "has more than {0} chunks before its pixels",
    zh: "在像素数据之前有超过 {0} 个数据块",
  },
  { en: "has more than {0} megapixels", zh: "超过 {0} 百万像素" },
  { en: "has frames of more than {0} megapixels", zh: "的画面超过 {0} 百万像素" },
  { en: "has a side of more than {0} pixels", zh: "有一边超过 {0} 像素" },
  {
    en: "has the codec {0}, which is not supported",
    zh: "使用不受支持的编解码器 {0}",
  },
  { en: "has more than {0} tracks", zh: "的轨道超过 {0} 条" },
  { en: "has more than {0} boxes in its index", zh: "的索引有超过 {0} 个数据盒" },
  { en: "has no audio track", zh: "没有音轨" },
  { en: "has no video track", zh: "没有视频轨道" },
  ...unknownFileTexts,
];
