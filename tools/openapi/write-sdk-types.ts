import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { compile } from "json-schema-to-typescript";

/** The documents, and the modules of the SDK that are written from them. */
export const written = [
  { document: "docs/generated/openapi.json", types: "packages/sdk/src/generated.ts" },
  { document: "docs/generated/admin-openapi.json", types: "packages/sdk/src/admin-types.ts" },
] as const;

const root = new URL("../../", import.meta.url);

interface Schema {
  [keyword: string]: unknown;
}

export function readTypes(path: string): Promise<string> {
  return readFile(new URL(path, root), "utf8");
}

/** The types of the client: every component of an OpenAPI document but for the errors, and its operations. */
export async function renderSdkTypes(path: string): Promise<string> {
  const document = JSON.parse(await readFile(new URL(path, root), "utf8"));
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
    bannerComment: `// Generated from ${path} by \`npm run sdk-types\`. Do not edit.`,
    ignoreMinAndMaxItems: true, // a list that a program builds is a list
    style: { printWidth: 100 },
  });
}

interface Operation {
  operationId: string;
  parameters?: { in: string; name: string; required?: boolean; schema: Schema }[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>;
}

/** What every operation takes in its query and body, and what it answers, unless that has a name of its own. */
function operationSchemas(paths: Record<string, Record<string, Operation>>) {
  const schemas: Record<string, Schema> = {};
  for (const operation of Object.values(paths).flatMap((path) => Object.values(path))) {
    const { operationId, parameters = [], requestBody, responses } = operation;
    const name = operationId.charAt(0).toUpperCase() + operationId.slice(1);
    const query = parameters.filter((parameter) => parameter.in === "query");
    if (query.length > 0)
      schemas[`${name}Query`] = {
        type: "object",
        properties: Object.fromEntries(query.map(({ name, schema }) => [name, schema])),
        required: query.flatMap(({ name, required }) => (required ? [name] : [])),
      };
    const body = requestBody?.content["application/json"]?.schema;
    if (body !== undefined && !("$ref" in body)) schemas[`${name}Body`] = body;
    const answer = responses["200"]?.content?.["application/json"]?.schema;
    if (answer !== undefined && !("$ref" in answer)) schemas[`${name}Answer`] = answer;
  }
  return schemas;
}

/** The same schema with its references inside one document. Titles would become names of types. */
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

if (process.argv[1] === fileURLToPath(import.meta.url))
  for (const { document, types } of written)
    await writeFile(new URL(types, root), await renderSdkTypes(document));
