import type { Mood } from "./moods.ts";
import type { SceneName } from "./scenes.ts";

/** English words are whole words, also in the plural; Chinese ones stand anywhere. */
function anyOf(english: string, chinese: string): RegExp {
  return new RegExp(
    `\\b(?:${english.replaceAll(" ", "|")})(?:s|es)?\\b|${chinese.replaceAll(" ", "|")}`,
  );
}

/** The words that choose a scene. If two words stand at the same place, the earlier entry counts. */
export const sceneWords: Record<SceneName, RegExp> = {
  city: anyOf(
    "city cities street skyline tower skyscraper building car traffic town downtown tokyo shanghai taxi window robot",
    "城 街 楼 都市 汽车 东京 上海 窗",
  ),
  sea: anyOf(
    "sea ocean wave surf beach coast shore sail sailboat sailing boat ship harbour harbor island lake river water puddle rain lighthouse gull fish whale underwater coral",
    "海 浪 沙滩 船 帆 岛 湖 河 水 雨 鱼 鲸",
  ),
  mountains: anyOf(
    "mountain peak summit alp alps alpine ridge cliff valley mist misty fog foggy himalaya snow snowy winter ice cabin aurora star galaxy space",
    "山 峰 雾 谷 云海 雪 冬 冰 木屋 极光 星 银河",
  ),
  hills: anyOf(
    "hill balloon countryside landscape field meadow wheat grass farm flower kite forest wood desert dune horse fox deer",
    "丘陵 热气球 气球 田 草 花 森林 沙漠 马 狐 鹿",
  ),
};

export const moodWords: Record<Mood, RegExp> = {
  neon: anyOf("neon cyberpunk synthwave vaporwave electric retro", "霓虹 赛博"),
  monochrome: anyOf(
    "monochrome noir sepia grayscale greyscale black-and-white mono charcoal",
    "黑白 单色 水墨",
  ),
  pastel: anyOf("pastel soft dreamy gentle candy", "柔和 粉彩 梦幻 淡色"),
  dawn: anyOf("dawn sunrise morning daybreak", "黎明 日出 清晨 早晨 拂晓"),
  dusk: anyOf("dusk sunset twilight evening", "黄昏 日落 傍晚 夕阳 暮"),
  night: anyOf(
    "night midnight moon moonlit moonlight star starry galaxy space aurora",
    "夜 月 午夜 星 极光",
  ),
  cold: anyOf("cold winter snow icy frozen snowy frost arctic storm", "寒 冬 冷 冰 雪"),
  warm: anyOf("warm golden autumn amber sunlit copper fire desert", "暖 金色 秋 沙漠"),
  day: anyOf("day daylight noon midday sunny summer bright spring", "白天 正午 晴 夏 阳光 春"),
};
