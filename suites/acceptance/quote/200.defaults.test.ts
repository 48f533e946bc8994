import type { Inputs } from "@zoetrope/testkit/api-client.ts";
import { expect, test } from "vitest";
import { main } from "../src/client.ts";
import { images } from "../src/examples.ts";

const prompt = "A paper boat";
const video = { duration: "5s", outputResolution: "720p", generateAudio: true, seed: -1 };
const image = { resolution: "2k", aspectRatio: "1:1" };

const same: readonly [sentence: string, model: string, left: Inputs, right: Inputs][] = [
  ...["sd2", "sd2-fast"].flatMap((model): (typeof same)[number][] => [
    ["duration is 5s by default", model, { prompt }, { prompt, duration: "5s" }],
    [
      "outputResolution is 720p by default",
      model,
      { prompt },
      { prompt, outputResolution: "720p" },
    ],
    ["generateAudio is true by default", model, { prompt }, { prompt, generateAudio: true }],
    ["seed -1 or omitted is random", model, { prompt }, { prompt, seed: -1 }],
    ["seed null is no seed", model, { prompt }, { prompt, seed: null }],
    ["all defaults together", model, { prompt }, { prompt, ...video }],
    ["urls: [] and a missing urls are the same", model, { prompt }, { prompt, urls: [] }],
    [
      "the s of duration may be left out",
      model,
      { prompt, duration: "9" },
      { prompt, duration: "9s" },
    ],
    [
      "keyframe is the default mode",
      model,
      { urls: images(2) },
      { urls: images(2), videoInputMode: "keyframe" },
    ],
    [
      "a prompt of white space is no prompt",
      model,
      { urls: images(1) },
      { urls: images(1), prompt: "  " },
    ],
  ]),
  ["duration is 5 by default", "happyhorse", { prompt }, { prompt, duration: "5" }],
  ["duration may have an s", "happyhorse", { prompt, duration: "9s" }, { prompt, duration: "9" }],
  [
    "outputResolution is 720p by default",
    "happyhorse",
    { prompt },
    { prompt, outputResolution: "720p" },
  ],
  ["urls: [] and a missing urls are the same", "happyhorse", { prompt }, { prompt, urls: [] }],
  ["seed null is no seed", "happyhorse", { prompt }, { prompt, seed: null }],
  ["quality is medium by default", "image-pro-2", { prompt }, { prompt, quality: "medium" }],
  ["outputFormat is png by default", "image-pro-2", { prompt }, { prompt, outputFormat: "png" }],
  ...["image-pro-2", "image-plus-2"].flatMap((model): (typeof same)[number][] => [
    ["resolution is 2k by default", model, { prompt }, { prompt, resolution: "2k" }],
    ["aspectRatio is 1:1 by default", model, { prompt }, { prompt, aspectRatio: "1:1" }],
    ["all defaults together", model, { prompt }, { prompt, ...image }],
    ["urls: [] and a missing urls are the same", model, { prompt }, { prompt, urls: [] }],
  ]),
];

for (const [sentence, model, left, right] of same)
  test(`§4.1 ${model}: ${sentence}`, async () => {
    expect(await main.price(model, left)).toEqual(await main.price(model, right));
  });

for (const [model, credits] of [
  ["sd2", 30],
  ["sd2-fast", 25],
  ["happyhorse", 25],
  ["image-pro-2", 6],
  ["image-plus-2", 6],
] as const)
  test(`§4.1 ${model} needs nothing but a prompt, and then costs ${credits}`, async () => {
    expect((await main.price(model, { prompt })).credits).toBe(credits);
  });
