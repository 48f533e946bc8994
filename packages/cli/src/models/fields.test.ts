import type { Model } from "@zoetrope/sdk";
import { expect, test } from "vitest";
import { fieldsOf } from "./fields.ts";
import { normaliseFlags } from "./model-flags.ts";

const model = {
  model: "m",
  inputs: {
    anyOf: [
      {
        properties: {
          prompt: { type: "string", "x-order": 2 },
          inputMode: { type: "string", const: "reference", "x-order": 1 },
          "bad name": { type: "string" },
        },
      },
      {
        properties: {
          inputMode: { type: "string", const: "keyframe" },
          urls: { type: "array", "x-media": { type: "image" } },
          duration: { type: "string", default: "5s", "x-range": { min: 4, max: 15 } },
        },
      },
    ],
  },
} as unknown as Model;

test("the fields of all modes are flags, in the order of the form, with the values of every mode", () => {
  const fields = fieldsOf(model);
  expect(fields.map(({ flag }) => flag)).toEqual(["input-mode", "prompt", "urls", "duration"]);
  expect(fields[0]?.choices).toEqual(["reference", "keyframe"]);
  expect(fields[2]).toMatchObject({ kind: "list", media: "image" });
  expect(fields[3]).toMatchObject({ default: "5s", description: "4 to 15." });
});

test("a flag may be spelt as the API spells the input, but not behind --", () => {
  const argv = ["--inputMode=a", "--inputMode", "b", "--", "--inputMode"];
  const spelt = ["--input-mode=a", "--input-mode", "b", "--", "--inputMode"];
  expect(normaliseFlags(argv, model)).toEqual(spelt);
});
