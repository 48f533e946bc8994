import { expect, test } from "vitest";
import type { Model } from "../use-models.ts";
import { candidatesOf, inputsFor, sharedRange, sharedRatios } from "./text-forms.ts";

const prompt = { "x-control": "prompt", "x-order": 10 };
const seconds = (min: number, max: number) => ({
  "x-control": "seconds",
  "x-order": 20,
  default: "5",
  "x-range": { min, max, step: 1 },
});
const modelOf = (model: string, properties: object, required = ["prompt"]): Model => ({
  model,
  kind: "video",
  title: model,
  summary: "",
  deprecation: null,
  modes: [],
  inputs: { anyOf: [{ properties, required }] },
  ageMaxSeconds: 1,
  prices: { formula: "", seconds: [], upscale: [] },
});
const labelled = {
  "x-control": "ratio",
  "x-order": 30,
  enum: ["960x720", "720x720"],
  "x-labels": { "960x720": "4:3", "720x720": "1:1" },
};
const plain = { "x-control": "ratio", "x-order": 30, enum: ["1:1", "16:9"], default: "16:9" };
const models = [
  modelOf("one", { prompt, length: seconds(4, 15), size: labelled }),
  modelOf("two", { prompt, duration: seconds(3, 10), ratio: plain }),
  modelOf("still", { prompt }),
  modelOf("frames", { prompt, urls: { "x-control": "files", "x-order": 5 } }, ["urls"]),
];
const [one, two, still, ...none] = candidatesOf(models);
if (one === undefined || two === undefined || still === undefined) throw new Error("too few");

test("models that need more than a prompt do not take part", () => {
  expect(none).toEqual([]);
});

test("what is chosen for all is sent to each model in its own spelling, and left out where it has none", () => {
  const shared = { prompt: "a fox", duration: "8", ratio: "1:1" };
  expect(inputsFor(one, shared)).toEqual({ prompt: "a fox", length: "8", size: "720x720" });
  expect(inputsFor(two, shared)).toEqual({ prompt: "a fox", duration: "8", ratio: "1:1" });
  expect(inputsFor(still, shared)).toEqual({ prompt: "a fox" });
  expect(inputsFor(one, { prompt: "a", duration: "", ratio: "" })).toEqual({ prompt: "a" });
});

test("only what all chosen models can do is offered", () => {
  expect(sharedRange([one, two, still])).toEqual({ min: 4, max: 10 });
  expect(sharedRange([still])).toBeNull();
  expect(sharedRatios([one, two, still])).toEqual(["1:1"]);
  expect(sharedRatios([still])).toEqual([]);
});
