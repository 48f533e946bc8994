import { expect, test } from "vitest";
import { models } from "./catalogue.ts";
import { inputsOf } from "./inputs-of.ts";
import { planRequest } from "./plan-request.ts";
import type { ModelRequest } from "./request.ts";

const asset = "asset://asset-20260101-abc";

/** Every mode with its example, and with everything else that it takes. */
const cases = models.flatMap((model) =>
  model.modes.flatMap((mode) => {
    const { shape } = mode.inputs;
    const more = Object.entries({
      duration: "7",
      seed: 42,
      generateAudio: false,
      outputResolution: "720p",
      aspectRatio: "3:4",
      quality: "high",
      outputFormat: "webp",
      ratio: "9:16",
      resolution: model.kind === "image" ? "1k" : "960x720",
      upscaleResolution: "4k",
    }).filter(([name]) => Object.hasOwn(shape, name));
    const files = Object.hasOwn(shape, "videoUrls") ? { videoUrls: [asset] } : {};
    return [
      { name: `${model.name} ${mode.name}`, model, inputs: mode.example },
      {
        name: `${model.name} ${mode.name} in full`,
        model,
        inputs: { ...mode.example, ...Object.fromEntries(more), ...files },
      },
    ];
  }),
);

test.each(cases)(
  "the inputs of a stored request make the same request: $name",
  ({ model, inputs }) => {
    const request = planRequest(model, inputs);
    const again = inputsOf(model, request);
    expect(planRequest(model, again ?? {})).toEqual(request);
  },
);

test("what was purged has no inputs", () => {
  const [model] = models;
  if (model === undefined) throw new Error("the catalogue is empty");
  const request = planRequest(model, { prompt: "a fox" });
  expect(inputsOf(model, { ...request, prompt: "" })).toBeNull();
  expect(inputsOf(model, { ...request, prompt: null } as ModelRequest)).toBeNull();
  expect(inputsOf(model, {} as ModelRequest)).toBeNull();
});
