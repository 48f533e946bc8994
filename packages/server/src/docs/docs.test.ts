import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { models } from "../models/catalogue.ts";
import { inputsSchemaOf } from "../models/inputs-schema.ts";
import { type Model, parametersOf } from "../models/model.ts";
import { planRequest, requireModel } from "../models/plan-request.ts";
import { eventTypes } from "../webhooks/endpoints/event-types.ts";
import { allParametersOf, describeParameters } from "./parameters.ts";
import { renderDocs } from "./render-docs.ts";

const planNamed = (model: string, inputs: object) =>
  planRequest(requireModel(models, model), inputs);

const ajvOptions = { strict: false, formats: { uri: /./, email: /@/, "date-time": /T/ } };

let docs: Record<string, string>;
beforeAll(async () => {
  docs = await renderDocs();
});

test.each([
  "generated/openapi.json",
  "generated/admin-openapi.json",
  "generated/endpoints.md",
  "generated/errors.md",
  "generated/media.md",
  "generated/metrics.md",
  "generated/parameters.md",
  "generated/prices.md",
  "configuration.md",
  "llms.txt",
])("docs/%s is what the code says; if this fails, run npm run generate", async (name) => {
  const folder = fileURLToPath(new URL("../../../../docs/", import.meta.url));
  expect(await readFile(folder + name, "utf8")).toBe(docs[name]);
});

interface Operation {
  operationId: string;
  summary?: string;
  description?: string;
  parameters?: { name: string; required?: boolean }[];
  requestBody?: {
    content: Record<string, { schema: object; examples?: Examples; example?: unknown }>;
  };
}
type Examples = Record<string, { value: unknown }>;
interface Openapi {
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, Record<string, Operation>>;
}

function readOpenapi(): Openapi {
  return JSON.parse(docs["generated/openapi.json"] ?? "");
}

const operationsOf = (paths: Openapi["paths"]) =>
  Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({ path, method, operation })),
  );

test("every JSON body of a request and of a webhook has examples, and its own schema accepts them", () => {
  const openapi = readOpenapi();
  const ajv = new Ajv2020(ajvOptions).addSchema(openapi, "openapi");
  const all = { paths: operationsOf(openapi.paths), webhooks: operationsOf(openapi.webhooks) };
  let bodyCount = 0;
  for (const [section, operations] of Object.entries(all))
    for (const { path, method, operation } of operations)
      for (const [type, media] of Object.entries(operation.requestBody?.content ?? {})) {
        if (type !== "application/json") continue; // a file as it is
        const { operationId } = operation;
        const at = [section, path, method, "requestBody", "content", type, "schema"];
        const validate = ajv.compile({ $ref: `openapi#/${at.map(escaped).join("/")}` });
        const { example, examples = {} } = media;
        const values = Object.values(examples).map(({ value }) => value);
        if (example !== undefined) values.push(example);
        expect(values, `${operationId} has no example`).not.toEqual([]);
        for (const value of values)
          expect(validate(value), `${operationId} ${JSON.stringify(validate.errors)}`).toBe(true);
        bodyCount++;
      }
  expect(bodyCount).toBeGreaterThan(40);
});

/** A part of a path, in a JSON pointer inside a URI. */
function escaped(part: string): string {
  return encodeURIComponent(part.replaceAll("~", "~0").replaceAll("/", "~1"));
}

test("every operation has a description, which is more than its summary", () => {
  const operations = operationsOf(readOpenapi().paths).map(({ operation }) => operation);
  for (const { operationId, summary = "", description = "" } of operations) {
    expect(description, `${operationId} has no description`).toMatch(/^[A-Z`].{20,}\.$/s);
    expect(description, operationId).not.toContain(summary);
  }
  expect(operations.length).toBeGreaterThan(80);
});

test("a task's body is told by its model: the discriminator has every model, each with the schema that takes it", () => {
  const { paths } = readOpenapi();
  for (const path of ["/api/v1/jobs/createTask", "/api/v1/jobs/quote"]) {
    const { schema } = paths[path]?.["post"]?.requestBody?.content["application/json"] ?? {};
    const { oneOf, discriminator } = schema as {
      oneOf: { $ref: string }[];
      discriminator: { propertyName: string; mapping: Record<string, string> };
    };
    expect(discriminator.propertyName).toBe("model");
    expect(Object.keys(discriminator.mapping)).toEqual(models.map(({ name }) => name));
    expect(oneOf.map(({ $ref }) => $ref)).toEqual(Object.values(discriminator.mapping));
    const { components } = JSON.parse(docs["generated/openapi.json"] ?? "");
    for (const [name, $ref] of Object.entries(discriminator.mapping))
      expect(components.schemas[$ref.split("/").at(-1) ?? ""].properties.model.const).toBe(name);
  }
});

test("every callback and event that is sent is a webhook of the document, with the headers that sign it", () => {
  const { webhooks } = readOpenapi();
  const sent = ["generation.callback", "upscale.callback", ...eventTypes];
  expect(Object.keys(webhooks)).toEqual(sent);
  for (const { operation } of operationsOf(webhooks)) {
    const required = operation.parameters?.filter(({ required }) => required) ?? [];
    expect(required.map(({ name }) => name)).toEqual([
      "webhook-id",
      "webhook-timestamp",
      "webhook-signature",
    ]);
  }
});

test("llms.txt says how each client is installed, where agents connect, and what checks a callback", () => {
  const text = docs["llms.txt"] ?? "";
  const [, clients = ""] = text.split("\n## Clients\n");
  const section = clients.slice(0, clients.indexOf("\n## "));
  expect(section).toContain('import { Zoetrope } from "@zoetrope/sdk"');
  expect(section).toContain("from zoetrope import Zoetrope");
  expect(section).toMatch(/`npm install \S+zoetrope-sdk-\S+\.tgz`/);
  expect(section).toMatch(/`pip install \S+\.whl`/);
  expect(section).toMatch(/`npm install --global \S+\.tgz`: the command `zoetrope`, with an MCP/);
  expect(section).toContain("`https://media.example.com/mcp`");
  expect(section).toContain("`unwrapWebhook(body, headers, secret)`");
  expect(section).toContain("`zoetrope.webhooks.unwrap`");
  const [, callbacks = ""] = text.split("\n## Callbacks\n");
  expect(callbacks).toContain("GET /api/v1/webhooks/secret");
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

test("what the rules accept, the published JSON Schema accepts, where a duration is always text", () => {
  const ajv = new Ajv2020(ajvOptions);
  let acceptedCount = 0;
  for (const model of models) {
    const validate = ajv.compile(inputsSchemaOf(model, "en"));
    const property = fc.property(inputsFor(model), (inputs) => {
      if (!isAccepted(model.name, inputs)) return;
      acceptedCount++;
      const { duration } = inputs; // the interface's type is text; a number is taken as that
      if (typeof duration === "number") inputs["duration"] = String(duration);
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
