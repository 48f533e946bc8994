import type { Mood } from "./moods.ts";
import type { SceneName } from "./scenes.ts";

/** English words are whole words, also in the plural; Chinese ones stand anywhere. */
function anyOf(english: string, chinese: string): RegExp {
  return new RegExp(
    `\\b(?:${english.replaceAll(" ", "|")})(?:s|es)?\\b|${chinese.replaceAll(" ", "|")}`,
  );
}

/** Of two words at the same place the earlier entry counts. */
export const sceneWords: Record<SceneName, RegExp> = {
  zoetrope: anyOf(
    "zoetrope horse gallop galloping carousel praxinoscope",
    "走马灯 西洋镜 马 旋转木马",
  ),
  underwater: anyOf(
    "underwater jellyfish fish reef coral whale diver diving submarine",
    "水下 海底 水母 鱼 珊瑚 鲸 潜水",
  ),
  aurora: anyOf("aurora borealis polar arctic northern", "极光 北极 南极"),
  snow: anyOf(
    "snow snowy snowfall snowfield winter cabin ice frozen christmas",
    "雪 冬 冰 木屋 圣诞",
  ),
  rain: anyOf("rain rainy raining window drop raindrop umbrella storm", "雨 窗 伞"),
  galaxy: anyOf(
    "galaxy galaxies star starry space universe cosmos cosmic nebula planet milky meteor astronaut",
    "星 银河 宇宙 太空 流星",
  ),
  city: anyOf(
    "city cities street skyline tower skyscraper building car traffic town downtown tokyo shanghai taxi",
    "城 街 楼 都市 汽车 东京 上海",
  ),
  dunes: anyOf("desert dune sahara camel caravan sand oasis", "沙漠 沙丘 骆驼 沙"),
  forest: anyOf(
    "forest wood woodland jungle deer fox bear owl papercut papercraft firefly",
    "森林 树林 林 鹿 狐 熊 剪纸 萤火",
  ),
  field: anyOf(
    "field meadow wheat grass prairie farm wind windy flower sunflower kite poppy poppies lavender",
    "田 草原 麦 草地 风 花 稻",
  ),
  sea: anyOf(
    "sea ocean wave surf beach coast shore sail sailboat sailing boat ship harbour harbor island lake water lighthouse gull",
    "海 浪 沙滩 船 帆 岛 湖 水",
  ),
  mountains: anyOf(
    "mountain peak summit alp alps alpine ridge cliff valley mist misty fog foggy himalaya",
    "山 峰 雾 谷 云海",
  ),
  hills: anyOf("hill balloon countryside landscape", "丘陵 热气球 气球 田园"),
  flow: anyOf(
    "abstract gradient flow flowing liquid silk ink colour color texture loop background waveform",
    "抽象 渐变 流动 丝绸 墨 色彩",
  ),
};

export const moodWords: Record<Mood, RegExp> = {
  aurora: anyOf("aurora borealis emerald northern", "极光"),
  neon: anyOf("neon cyberpunk synthwave vaporwave electric retro", "霓虹 赛博"),
  monochrome: anyOf(
    "monochrome noir sepia grayscale greyscale black-and-white mono charcoal",
    "黑白 单色 水墨",
  ),
  pastel: anyOf("pastel soft dreamy gentle candy", "柔和 粉彩 梦幻 淡色"),
  dawn: anyOf("dawn sunrise morning daybreak", "黎明 日出 清晨 早晨 拂晓"),
  dusk: anyOf("dusk sunset twilight evening", "黄昏 日落 傍晚 夕阳 暮"),
  night: anyOf("night midnight moon moonlit moonlight starry nocturnal", "夜 月 午夜"),
  cold: anyOf("cold winter icy frozen snowy frost arctic blue", "寒 冬 冷 冰"),
  warm: anyOf("warm golden autumn amber sunlit copper fire", "暖 金色 秋 温暖"),
  day: anyOf("day daylight noon midday sunny summer bright spring", "白天 正午 晴 夏 阳光 春"),
};
