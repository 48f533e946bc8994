import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { compile } from "json-schema-to-typescript";

const documentPath = new URL("../../docs/generated/openapi.json", import.meta.url);
export const typesPath = new URL("../../packages/sdk/src/generated.ts", import.meta.url);

interface Schema {
  [keyword: string]: unknown;
}

/** The types of the client: every component of the OpenAPI document but for the errors. */
export async function renderSdkTypes(): Promise<string> {
  const document = JSON.parse(await readFile(documentPath, "utf8"));
  const schemas: Record<string, Schema> = {
    ...document.components.schemas,
    ...operationSchemas(document.paths),
  };
  const names = Object.keys(schemas).filter((name) => !name.startsWith("Error"));
  const definitions = Object.fromEntries(
    names.map((name) => [name, { ...(retarget(schemas[name]) as Schema), title: name }]),
  );
  const root = {
    title: "Schemas",
    type: "object" as const,
    additionalProperties: false,
    properties: Object.fromEntries(names.map((name) => [name, { $ref: `#/definitions/${name}` }])),
    required: names,
    definitions,
  };
  return compile(root, "Schemas", {
    additionalProperties: false,
    bannerComment:
      "// Generated from docs/generated/openapi.json by `npm run sdk-types`. Do not edit.",
    ignoreMinAndMaxItems: true, // a list that a program builds is a list
    style: { printWidth: 100 },
  });
}

interface Operation {
  operationId: string;
  parameters?: { in: string; name: string; required?: boolean; schema: Schema }[];
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>;
}

/** What every operation takes in its query, and what it answers unless that has a name of its own. */
function operationSchemas(paths: Record<string, Record<string, Operation>>) {
  const schemas: Record<string, Schema> = {};
  for (const { operationId, parameters = [], responses } of Object.values(paths).flatMap((path) =>
    Object.values(path),
  )) {
    const name = operationId.charAt(0).toUpperCase() + operationId.slice(1);
    const query = parameters.filter((parameter) => parameter.in === "query");
    if (query.length > 0)
      schemas[`${name}Query`] = {
        type: "object",
        properties: Object.fromEntries(query.map(({ name, schema }) => [name, schema])),
        required: query.flatMap(({ name, required }) => (required ? [name] : [])),
      };
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
  await writeFile(typesPath, await renderSdkTypes());
