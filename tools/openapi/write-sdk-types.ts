import { readFile, writeFile } from "node:fs/promises";
import { compile } from "json-schema-to-typescript";

const customers = "docs/generated/openapi.json";

/** The modules of the SDK that are written from the OpenAPI documents. */
export const written = {
  "packages/sdk/src/generated.ts": () => renderTypes(customers),
  "packages/sdk/src/admin-types.ts": () => renderTypes("docs/generated/admin-openapi.json"),
  "packages/sdk/src/query-names.ts": () => renderQueryNames(customers),
} satisfies Record<string, () => Promise<string>>;

const root = new URL("../../", import.meta.url);

interface Schema {
  [keyword: string]: unknown;
}

export function readModule(path: string): Promise<string> {
  return readFile(new URL(path, root), "utf8");
}

/** The types of the client: every component of an OpenAPI document but for the errors, and its operations. */
async function renderTypes(path: string): Promise<string> {
  const document = JSON.parse(await readModule(path));
  const schemas: Record<string, Schema> = {
    ...document.components.schemas,
    ...operationSchemas(document.paths),
  };
  const names = Object.keys(schemas).filter((name) => !/^(Staff)?Error\d/.test(name));
  const definitions = Object.fromEntries(
    names.map((name) => [name, { ...(retarget(schemas[name]) as Schema), title: name }]),
  );
  const all = {
    title: "Schemas",
    type: "object" as const,
    additionalProperties: false,
    properties: Object.fromEntries(names.map((name) => [name, { $ref: `#/definitions/${name}` }])),
    required: names,
    definitions,
  };
  return compile(all, "Schemas", {
    additionalProperties: false,
    bannerComment: `// Generated from ${path} by \`npm run generate\`. Do not edit.`,
    ignoreMinAndMaxItems: true, // a list that a program builds is a list
    style: { printWidth: 100 },
  });
}

interface Operation {
  operationId: string;
  security: object[];
  parameters?: { in: string; name: string; required?: boolean; schema: Schema }[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>;
}

/**
 * Returns the schemas of the query and body of every operation, and of its response unless that has
 * its own name.
 */
function operationSchemas(paths: Record<string, Record<string, Operation>>) {
  const schemas: Record<string, Schema> = {};
  for (const operation of Object.values(paths).flatMap((path) => Object.values(path))) {
    const { operationId, parameters = [], requestBody, responses } = operation;
    const name = operationId.charAt(0).toUpperCase() + operationId.slice(1);
    const query = parameters.filter((parameter) => parameter.in === "query");
    if (query.length > 0)
      schemas[`${name}Query`] = {
        type: "object",
        properties: Object.fromEntries(
          // The client leaves out a filter that is undefined.
          query.map(({ name, schema, required }) => [
            name,
            required ? schema : { anyOf: [schema, { tsType: "undefined" }] },
          ]),
        ),
        required: query.flatMap(({ name, required }) => (required ? [name] : [])),
      };
    const body = requestBody?.content["application/json"]?.schema;
    if (body !== undefined && !("$ref" in body)) schemas[`${name}Body`] = body;
    const answer = responses["200"]?.content?.["application/json"]?.schema;
    if (answer !== undefined && !("$ref" in answer)) schemas[`${name}Answer`] = answer;
  }
  return schemas;
}

/** Returns the schema with its references inside one document. Titles would become names of types. */
function retarget(value: unknown, isMap = false): unknown {
  if (Array.isArray(value)) return value.map((one) => retarget(one));
  if (typeof value !== "object" || value === null) return value;
  const kept = Object.entries(value).filter(
    ([keyword]) => isMap || (keyword !== "title" && !keyword.startsWith("x-")),
  );
  return Object.fromEntries(
    kept.map(([keyword, inner]) => [keyword, retargetOne(keyword, inner, isMap)]),
  );
}

function retargetOne(keyword: string, inner: unknown, isMap: boolean): unknown {
  if (!isMap && keyword === "$ref" && typeof inner === "string")
    return inner.replace("#/components/schemas/", "#/definitions/");
  return retarget(inner, !isMap && keyword === "properties");
}

/** The names of the filters of every list that a key can read, which the client refuses others beside. */
async function renderQueryNames(path: string): Promise<string> {
  const { paths } = JSON.parse(await readModule(path)) as {
    paths: Record<string, Record<string, Operation>>;
  };
  const lists = Object.values(paths)
    .flatMap((methods) => Object.values(methods))
    .map(({ operationId, parameters = [], security }) => ({
      operationId,
      isForKeys: security.some((one) => "key" in one),
      query: parameters.filter((parameter) => parameter.in === "query"),
    }))
    .filter(({ isForKeys, query }) => isForKeys && query.length > 0)
    .filter(({ query }) => !query.some(({ required }) => required));
  const entries = lists.map(
    ({ operationId, query }) =>
      `  ${operationId}: {\n${query.map(({ name }) => `    ${name}: true,\n`).join("")}  },\n`,
  );
  return `// Generated from ${path} by \`npm run generate\`. Do not edit.
/** The filters of lists, by the operation. */
export const queryNames = {
${entries.join("")}} as const;
`;
}

if (import.meta.main)
  for (const [path, render] of Object.entries(written))
    await writeFile(new URL(path, root), await render());
