/**
 * Prompts that fill a gallery: every scene and every mood of the sandbox, in both languages of the
 * console. The order mixes them, so that neighbours differ and any first few are varied.
 */
export const demoPrompts: readonly [string, ...string[]] = [
  "A paper boat on a calm sea at sunset, long reflections, slow camera",
  "City skyline at midnight mirrored in still water",
  "Hot air balloons over rolling hills at daybreak, soft haze",
  "Alpine peaks in winter, icy blue light",
  "Waves at noon, bright and clear, small clouds",
  "Neon city of towers, magenta haze, cyberpunk",
  "山峦叠嶂，黄昏的云雾在谷间流动",
  "Balloons above a pastel countryside, gentle and dreamy",
  "黎明时分的海，小船漂过平静的水面",
  "Tokyo street lights at dusk, towers against a burning sky",
  "Golden wheat fields in autumn, balloons on the horizon",
  "Layered mountains in morning mist",
  "Monochrome ocean, long exposure, moon behind thin cloud",
  "热气球飞过丘陵，晴朗的白天",
  "Starry night above a mountain ridge",
  "A downtown in the cold, frost on every window",
];
