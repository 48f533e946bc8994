import { expect, test } from "vitest";
import { planRequest } from "./plan-request.ts";

const plan = (inputs: unknown) => planRequest("sd2", inputs);

test("a prompt alone gets every default", () => {
  expect(plan({ prompt: "a fox" })).toEqual({
    model: "sd2",
    prompt: "a fox",
    durationSeconds: 5,
    ratio: null,
    outputResolution: "720p",
    seed: null,
    generateAudio: true,
  });
});

test.each([
  ["4s", 4],
  ["15s", 15],
  ["4", 4],
  ["07s", 7],
])("duration %s is %d seconds", (duration, seconds) => {
  expect(plan({ prompt: "a", duration }).durationSeconds).toBe(seconds);
});

test.each([-1, null, undefined])("seed %s is random", (seed) => {
  expect(plan({ prompt: "a", seed }).seed).toBeNull();
});

test.each([0, 2_147_483_647])("seed %d is kept", (seed) => {
  expect(plan({ prompt: "a", seed }).seed).toBe(seed);
});

test.each([
  ["720x720", "1:1"],
  ["720x960", "3:4"],
  ["960x720", "4:3"],
  ["1280x720", "16:9"],
  ["720x1280", "9:16"],
  ["1280x540", "21:9"],
])("resolution %s selects the ratio %s", (resolution, ratio) => {
  expect(plan({ prompt: "a", resolution }).ratio).toBe(ratio);
});

test.each([
  ["inputs.prompt", {}],
  ["inputs.prompt", { prompt: "" }],
  ["inputs.prompt", { prompt: " \n\t" }],
  ["inputs.prompt", { prompt: 5 }],
  ["inputs.prompt", { prompt: "a\u0000b" }],
  ["inputs.prompt", { prompt: "half an emoji \ud83d" }],
  ["inputs.duration", { prompt: "a", duration: "3s" }],
  ["inputs.duration", { prompt: "a", duration: "16s" }],
  ["inputs.duration", { prompt: "a", duration: 5 }],
  ["inputs.duration", { prompt: "a", duration: "5.5s" }],
  ["inputs.duration", { prompt: "a", duration: "-5s" }],
  ["inputs.duration", { prompt: "a", duration: null }],
  ["inputs.resolution", { prompt: "a", resolution: "1x1" }],
  ["inputs.outputResolution", { prompt: "a", outputResolution: "4k" }],
  ["inputs.seed", { prompt: "a", seed: -2 }],
  ["inputs.seed", { prompt: "a", seed: 2_147_483_648 }],
  ["inputs.seed", { prompt: "a", seed: 1.5 }],
  ["inputs.seed", { prompt: "a", seed: "1" }],
  ["inputs.generateAudio", { prompt: "a", generateAudio: "yes" }],
  ["inputs.quality", { prompt: "a", quality: "high" }],
  ["inputs", null],
  ["inputs", []],
  ["inputs", "a"],
])("a fault in %s is refused by its name: %j", (param, inputs) => {
  expect(() => plan(inputs)).toThrow(
    expect.objectContaining({
      code: "invalid_parameters",
      param,
      message: expect.stringContaining(`${param}: `),
    }),
  );
});

test("an unknown model is refused and the known ones are named", () => {
  expect(() => planRequest("sd3", { prompt: "a" })).toThrow(
    expect.objectContaining({ param: "model", message: "model: must be one of sd2" }),
  );
});
