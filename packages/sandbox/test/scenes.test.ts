import { expect, test } from "vitest";
import { demoPrompts } from "../src/demo-prompts.ts";
import { readScript } from "../src/kit/script.ts";
import { chooseScene } from "../src/render/scenes/choose-scene.ts";
import { type Mood, moodNames } from "../src/render/scenes/moods.ts";
import { type SceneName, sceneNames, scenes } from "../src/render/scenes/scenes.ts";
import type { Layer } from "../src/render/scenes/stage.ts";
import { composeScene, stageOf } from "../src/render/video/compose.ts";
import type { WorldSpec } from "../src/render/video/spec.ts";
import { ratios, sizeOf } from "../src/vendors/ark/sizes.ts";

const named: [SceneName, ...string[]][] = [
  ["sea", "Waves on a beach", "a sailboat", "A paper boat crosses a puddle", "平静的大海", "雨天"],
  ["mountains", "Two peaks above the valley", "misty ridges", "a snowy cabin", "云雾中的山峰"],
  ["city", "a busy street", "Skyscrapers", "robots", "上海的高楼", "城市"],
  ["hills", "rolling hills", "balloons", "A fox in the woods", "热气球", "森林里"],
];

test.each(named)("words choose the scene %s", (scene, ...prompts) => {
  for (const prompt of prompts) expect(chooseScene(prompt, 1).scene, prompt).toBe(scene);
});

const inMood: [Mood, ...string[]][] = [
  ["dawn", "at sunrise", "清晨"],
  ["day", "a sunny afternoon", "阳光下"],
  ["dusk", "Sunset", "黄昏"],
  ["night", "by moonlight", "深夜"],
  ["warm", "golden hour", "秋天"],
  ["cold", "an icy wind", "寒风"],
  ["neon", "NEON signs", "霓虹灯"],
  ["pastel", "in pastel colours", "梦幻"],
  ["monochrome", "film noir", "黑白照片"],
];

test.each(inMood)("words choose the mood %s", (mood, ...prompts) => {
  for (const prompt of prompts) expect(chooseScene(prompt, 1).mood, prompt).toBe(mood);
});

test("every scene and every mood can be asked for by words", () => {
  expect(named.map(([scene]) => scene).sort()).toEqual([...sceneNames].sort());
  expect(inMood.map(([mood]) => mood).sort()).toEqual([...moodNames].sort());
});

test("the first word that names a scene counts, and parts of other words name none", () => {
  expect(chooseScene("a city by the sea", 1).scene).toBe("city");
  expect(chooseScene("the sea by a city", 1).scene).toBe("sea");
  const season = (seed: number) => chooseScene("season of the nightingale", seed);
  const found = Array.from({ length: 40 }, (_, seed) => season(seed));
  expect(new Set(found.map(({ scene }) => scene)).size).toBe(1);
  expect(new Set(found.map(({ mood }) => mood)).size).toBeGreaterThan(1);
});

test("a directive in the prompt changes nothing of what is shown", () => {
  const { random, ...plain } = chooseScene("a portrait", 7);
  const { random: again, ...scripted } = chooseScene("a portrait [sandbox:slow=30]", 7);
  expect(scripted).toEqual(plain);
  expect(again()).toBe(random());
});

test("prompts without such words are spread over all scenes", () => {
  const found = Array.from({ length: 400 }, (_, at) => chooseScene(`prompt ${at}`, 1).scene);
  expect(new Set(found).size).toBe(sceneNames.length);
});

const spec: WorldSpec = {
  prompt: "whatever",
  width: 0,
  height: 0,
  seconds: 5,
  audio: false,
  seed: 3,
};
const bytesPerPixel = { rgb24: 3, rgba: 4 };

function paint(scene: SceneName, size: { width: number; height: number }, seconds: number) {
  return scenes[scene].paint(stageOf({ ...spec, ...size, seconds }));
}

function expectWhole({ image, width, height, x, y }: Layer) {
  const { frames = 1, pixelFormat } = image;
  const pixels = image.width * image.height * frames;
  expect(image.bytes.length).toBe(pixels * bytesPerPixel[pixelFormat]);
  expect(Math.min(width, height, image.width, image.height)).toBeGreaterThan(0);
  // nothing but numbers, `t` and functions of ffmpeg
  expect(`${x} ${y}`).toMatch(/^(?:[-+*/().,\d\s]|\bt\b|sin)+$/);
}

test.each(sceneNames)("%s is painted whole in every aspect ratio", (scene) => {
  for (const ratio of ratios) {
    const full = sizeOf("720p", ratio);
    const size = { width: Math.round(full.width / 8), height: Math.round(full.height / 8) };
    const layers = paint(scene, size, 1);
    for (const layer of layers) expectWhole(layer);
    expect(layers[0]).toMatchObject({ ...size, x: "0", y: "0", image: { pixelFormat: "rgb24" } });
    expect(new Set(layers.map(({ name }) => name)).size).toBe(layers.length);
  }
});

/**
 * The cost limit of a frame in ffmpeg, counted in frames laid over each other; processor time would
 * say less.
 */
const overlaidFramesMax = 6;
const rawBytesMax = 32_000_000;

test.each(sceneNames)("%s is cheap: few layers' worth of pixels and short loops", (scene) => {
  const size = { width: 320, height: 180 };
  const layers = paint(scene, size, 15);
  const visible = ({ width, height }: Layer) =>
    Math.min(width, size.width) * Math.min(height, size.height);
  const pixels = layers.slice(1).reduce((sum, layer) => sum + visible(layer), 0);
  const overlaid = pixels / (size.width * size.height);
  expect(overlaid).toBeLessThan(overlaidFramesMax);
  const raw = layers.reduce((sum, { image }) => sum + image.bytes.length, 0);
  expect(raw).toBeLessThan(rawBytesMax);
});

test("the image of a scene is the first moment of its video, and paints no loop", () => {
  const size = { width: 160, height: 90 };
  for (const scene of sceneNames) {
    const still = paint(scene, size, 0);
    const video = paint(scene, size, 1);
    expect(still.map(({ name }) => name)).toEqual(video.map(({ name }) => name));
    for (const { image } of still) expect(image.frames ?? 1).toBe(1);
  }
});

test("another prompt or another seed looks different, the same inputs look the same", () => {
  const painted = (prompt: string, seed: number) => {
    const layers = composeScene({ ...spec, width: 160, height: 90, prompt, seed });
    return Buffer.concat(layers.map(({ image }) => image.bytes));
  };
  const sea = painted("a calm sea", 1);
  expect(painted("a calm sea", 1).equals(sea)).toBe(true);
  expect(painted("a wild sea", 1).equals(sea)).toBe(false);
  expect(painted("a calm sea", 2).equals(sea)).toBe(false);
});

test("the demonstration prompts show every scene and no look twice, without a directive", () => {
  expect(demoPrompts.length).toBeGreaterThanOrEqual(16);
  const looks = demoPrompts.map((prompt) => chooseScene(prompt, 1));
  expect(new Set(looks.map(({ scene }) => scene)).size).toBe(sceneNames.length);
  expect(new Set(looks.map(({ scene, mood }) => `${scene} ${mood}`)).size).toBe(demoPrompts.length);
  expect(new Set(looks.map(({ mood }) => mood)).size).toBe(moodNames.length);
  for (const [at, { scene }] of looks.entries()) expect(looks[at + 1]?.scene).not.toBe(scene);
  for (const prompt of demoPrompts) expect(readScript(prompt)).toEqual({});
});
