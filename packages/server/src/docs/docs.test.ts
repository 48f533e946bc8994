import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { models } from "../models/catalogue.ts";
import { inputsSchemaOf } from "../models/inputs-schema.ts";
import { type Model, parametersOf } from "../models/model.ts";
import { planRequest, requireModel } from "../models/plan-request.ts";
import { allParametersOf, describeParameters } from "./parameters.ts";
import { renderDocs } from "./render-docs.ts";

const planNamed = (model: string, inputs: object) =>
  planRequest(requireModel(models, model), inputs);

const ajvOptions = { strict: false, formats: { uri: /./ } };

let docs: Record<string, string>;
beforeAll(async () => {
  docs = await renderDocs();
});

test.each([
  "generated/openapi.json",
  "generated/admin-openapi.json",
  "generated/errors.md",
  "generated/metrics.md",
  "generated/parameters.md",
  "generated/prices.md",
  "configuration.md",
  "llms.txt",
])("docs/%s is what the code says; if this fails, run npm run docs", async (name) => {
  const folder = fileURLToPath(new URL("../../../../docs/", import.meta.url));
  expect(await readFile(folder + name, "utf8")).toBe(docs[name]);
});

test("the table of parameters has every parameter for every model and mode, and no cell is empty", () => {
  const cells = describeParameters(models);
  const modeCount = models.reduce((sum, { modes }) => sum + modes.length, 0);
  expect(cells).toHaveLength(allParametersOf(models).length * modeCount);
  for (const { answer, accepted, ...where } of cells) {
    expect(answer, JSON.stringify(where)).toMatch(/^(inputs\.\w+(\[\d\])?: .{10,}|selects \S+)$/);
    if (accepted !== null) {
      expect(answer).toContain(`inputs.${where.parameter}: `); // a wrong value is blamed on itself
      expect(accepted.values).not.toMatch(/^$|undefined/);
    } else expect(answer).not.toBe(`selects ${where.mode}`); // not accepted means not ignored either
  }
});

test("a default in the table is what leaving the parameter out means", () => {
  const inputsOf = (model: string, mode: string) =>
    models.find(({ name }) => name === model)?.modes.find(({ name }) => name === mode)?.example;
  const withDefault = describeParameters(models).filter(({ accepted }) => accepted?.preset != null);
  expect(withDefault.length).toBeGreaterThan(40);
  for (const { parameter, model, mode, accepted } of withDefault) {
    const { [parameter]: _, ...without } = inputsOf(model, mode) ?? {};
    const preset = accepted?.preset === "true" ? true : accepted?.preset;
    const given = planNamed(model, { ...without, [parameter]: preset });
    expect(planNamed(model, without), `${model} ${mode} ${parameter}`).toEqual(given);
  }
});

test("the published JSON Schemas accept every example, and refuse a parameter too many", () => {
  const ajv = new Ajv2020(ajvOptions);
  for (const model of models) {
    const validate = ajv.compile(inputsSchemaOf(model, "en"));
    for (const { example } of model.modes) {
      expect(validate(example), JSON.stringify(validate.errors)).toBe(true);
      expect(validate({ ...example, surprise: 1 })).toBe(false);
    }
  }
});

test("what the rules accept, the published JSON Schema accepts", () => {
  const ajv = new Ajv2020(ajvOptions);
  let acceptedCount = 0;
  for (const model of models) {
    const validate = ajv.compile(inputsSchemaOf(model, "en"));
    const property = fc.property(inputsFor(model), (inputs) => {
      if (!isAccepted(model.name, inputs)) return;
      acceptedCount++;
      expect(validate(inputs), JSON.stringify({ inputs, errors: validate.errors })).toBe(true);
    });
    fc.assert(property, { numRuns: 2_000 });
  }
  expect(acceptedCount).toBeGreaterThan(1_000);
});

/** Inputs of one mode with a few members taken from others: some are accepted, some are not. */
function inputsFor(model: Model): fc.Arbitrary<Record<string, unknown>> {
  const values = fc.oneof(
    fc.constantFrom(...model.modes.flatMap(({ example }) => Object.values(example))),
    fc.constantFrom(
      "4s",
      "15",
      "720p",
      "1080p",
      "2k",
      "16:9",
      "webp",
      "high",
      true,
      0,
      7,
      "720x720",
    ),
    fc.integer(),
  );
  return fc
    .tuple(
      fc.constantFrom(...model.modes),
      fc.dictionary(fc.constantFrom(...parametersOf(model)), values, { maxKeys: 2 }),
    )
    .map(([mode, changes]) => ({ ...mode.example, ...changes }));
}

function isAccepted(model: string, inputs: object): boolean {
  try {
    planNamed(model, inputs);
    return true;
  } catch {
    return false;
  }
}
