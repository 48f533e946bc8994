import { expect, test } from "vitest";
import { type Form, readForms } from "./read-forms.ts";
import {
  formOf,
  inputsOf,
  missingOf,
  readParam,
  refusedWith,
  shownValue,
  valuesOf,
} from "./values.ts";

const media = {
  type: "image",
  countMin: 1,
  countMax: 2,
  sources: ["https", "asset"],
  mediaTypes: ["image/png"],
  needsReview: false,
};
const prompt = { type: "string", title: "Prompt", "x-control": "prompt", "x-order": 10 };
const rest = {
  duration: {
    "x-control": "seconds",
    "x-order": 50,
    default: "5s",
    type: "string",
    "x-range": { min: 4, max: 15, step: 1 },
  },
  output: { "x-control": "resolution", "x-order": 70, default: "720p", enum: ["720p", "1080p"] },
  upscale: { "x-control": "resolution", "x-order": 80, enum: ["1080p", "4k"], title: "Upscale" },
  audio: { "x-control": "toggle", "x-order": 90, default: true },
  seed: { "x-control": "seed", "x-order": 95, "x-advanced": true, minimum: -1, maximum: 10 },
  ignored: { "x-control": "unused", "x-order": 96 },
  strange: { "x-control": "hologram", "x-order": 97 },
};
const schema = {
  anyOf: [
    {
      title: "text",
      "x-title": "From text",
      required: ["prompt"],
      properties: { ...rest, prompt },
      "x-refused": [{ output: "1080p", upscale: "1080p" }],
    },
    {
      title: "images",
      "x-title": "From images",
      required: ["urls", "mode"],
      properties: {
        prompt,
        ...rest,
        urls: { "x-control": "files", "x-order": 20, "x-media": media },
        mode: { "x-control": "fixed", "x-order": 1, const: "images" },
      },
    },
  ],
};
const [text, images] = readForms(schema) as [Form, Form];

test("a form has the fields of its mode in their order, without those that are not shown", () => {
  expect(text.fields.map(({ name }) => name)).toEqual([
    "prompt",
    "duration",
    "output",
    "upscale",
    "audio",
    "seed",
  ]);
  expect([text.title, text.fields[0]?.isRequired]).toEqual(["From text", true]);
});

test("only what is entered and is not the default is sent", () => {
  expect(inputsOf(text, {})).toEqual({});
  const values = { prompt: "a fox", duration: "5", output: "720p", upscale: "", audio: true };
  expect(inputsOf(text, values)).toEqual({ prompt: "a fox" });
  expect(inputsOf(text, { ...values, duration: "8", audio: false, seed: "-1" })).toEqual({
    prompt: "a fox",
    duration: "8",
    audio: false,
    seed: -1,
  });
});

test("a value of another mode that this one does not offer is neither shown nor sent", () => {
  const output = text.fields.find(({ name }) => name === "output");
  expect(output && shownValue(output, { output: "8k" })).toBe("720p");
  expect(inputsOf(text, { prompt: "a", output: "8k" })).toEqual({ prompt: "a" });
});

test("inputs fill the form that they were made for, and it sends them again", () => {
  const url = "https://example.com/a.png";
  for (const inputs of [
    { prompt: "a fox", duration: "8", audio: false, seed: 3 },
    { mode: "images", prompt: "a fox", urls: [url, "asset://asset-1"] },
  ]) {
    const form = formOf([text, images], inputs);
    expect(form && inputsOf(form, valuesOf(form, inputs))).toEqual(inputs);
  }
  expect(formOf([text, images], { prompt: "a", ratio: "1:1", last: null })?.mode).toBe("text");
  expect(formOf([text, images], { prompt: "a", videos: [url] })).toBeUndefined();
});

test("a form says what it lacks", () => {
  expect(missingOf(text, {})).toMatchObject({ kind: "input", field: { name: "prompt" } });
  expect(missingOf(text, { prompt: "  " })).toMatchObject({ kind: "input" });
  expect(missingOf(text, { prompt: "a" })).toBeNull();
  expect(missingOf(images, {})).toMatchObject({ kind: "files", field: { name: "urls" } });
  const any = {
    ...images,
    requiresAny: ["urls"],
    fields: images.fields.map((field) => ({ ...field, isRequired: false })),
  };
  expect(missingOf(any, {})).toMatchObject({ kind: "any" });
  const files = { urls: [{ url: "https://a", name: null }] };
  expect(missingOf({ ...images, filesMax: 0 }, files)).toEqual({ kind: "tooMany", max: 0 });
});

test("a value that is refused with another is not offered", () => {
  const output = text.fields.find(({ name }) => name === "output");
  if (output === undefined) throw new Error("no field");
  expect(refusedWith(text, {}, output, "1080p")).toBeNull();
  const found = refusedWith(text, { upscale: "1080p" }, output, "1080p");
  expect(found?.map(({ name }) => name)).toEqual(["upscale"]);
});

test("the parameter of a refusal names the field and the file", () => {
  expect(readParam("inputs.urls[2]")).toEqual({ name: "urls", at: 2 });
  expect(readParam("inputs.duration")).toEqual({ name: "duration", at: null });
  expect([readParam("model"), readParam(null)]).toEqual([null, null]);
});
