import { Raw, toJson, withMembers } from "./hostile-bodies.ts";

/** The parts of the OpenAPI document about what an operation takes and may return. */
export interface Document {
  paths?: Record<string, Record<string, Operation>>;
  components?: { schemas?: Record<string, Schema> };
}
interface Operation {
  parameters?: { name: string; in: string; schema?: Schema }[];
  requestBody?: { content: Record<string, { schema?: Schema }> };
  responses?: Record<string, { content?: Record<string, { schema?: Schema }> }>;
}
interface Schema {
  $ref?: string;
  anyOf?: Schema[];
  oneOf?: Schema[];
  type?: string;
  enum?: unknown[];
  const?: unknown;
  format?: string;
  properties?: Record<string, Schema>;
  items?: Schema;
  minimum?: number;
  maximum?: number;
}

export interface HostileRequest {
  operation: Operation;
  method: string;
  path: string;
  /** The URL with its query. */
  url: string;
  headers: Record<string, string>;
  payload?: string;
  /** The description of what is wrong with it. */
  about: string;
}

const deep = 20_000;
const hostileValues: unknown[] = [
  null,
  true,
  false,
  0,
  -1,
  1.5,
  1e21,
  "",
  " ",
  [],
  {},
  [[]],
  [null],
  { type: "url" },
  ...["1e400", "-1e400", "-0", "9007199254740993"].map((text) => new Raw(text)),
  new Raw("[".repeat(deep) + "]".repeat(deep)),
  new Raw(`${'{"a":'.repeat(deep)}1${"}".repeat(deep)}`),
  new Raw('{"__proto__":{"a":1}}'),
  new Raw('{"constructor":{"prototype":{}}}'),
  "a\u0000b",
  "\ud83d",
  "\udc00 tail",
  "\ufeff",
  "\u202e",
  "x".repeat(100_000),
  "' or 1=1 --",
  "../../etc/passwd",
  "__proto__",
  "00000000-0000-0000-0000-000000000000",
  "asset://asset-1-2",
  "https://10.0.0.1/",
  "file:///etc/passwd",
  "2026-02-30T25:00:00Z",
];
const hostileTexts = [
  "",
  "%00",
  "%ED%A0%80",
  "%FF",
  "%",
  "%zz",
  "null",
  "true",
  "-1",
  "1.5",
  "1e400",
  "NaN",
  "[]",
  "9007199254740993",
  "99999999999999999999",
  "'%20or%201=1",
  "../..",
  "__proto__",
  "a%2Cb",
  "00000000-0000-0000-0000-000000000000",
  "x".repeat(8_000),
  "%F0%9F%A6%8A",
  "+",
  "&&=&",
];

/** Every operation of the document, asked in every wrong way that its schema suggests. */
export function* hostileRequests(document: Document): Generator<HostileRequest> {
  for (const [path, operations] of Object.entries(document.paths ?? {}))
    for (const [name, operation] of Object.entries(operations)) {
      const base = { operation, method: name.toUpperCase(), path };
      yield* hostileParameters(base);
      const schema = operation.requestBody?.content["application/json"]?.schema;
      if (schema !== undefined) yield* hostileBodies(base, document, schema);
      else
        yield {
          ...base,
          url: path,
          headers: json,
          payload: "{",
          about: "a body it never asked for",
        };
    }
}

const json = { "content-type": "application/json" };
type Base = Pick<HostileRequest, "operation" | "method" | "path">;

function* hostileParameters(base: Base): Generator<HostileRequest> {
  const { path, operation } = base;
  const parameters = operation.parameters ?? [];
  yield { ...base, url: `${path}?unknown=1`, headers: {}, about: "an unknown parameter" };
  yield { ...base, url: `${path}?__proto__=1`, headers: {}, about: "__proto__ as a parameter" };
  for (const { name, in: place } of parameters)
    for (const text of hostileTexts) {
      const about = `${place} ${name}: ${text.slice(0, 40)}`;
      if (place === "header") yield { ...base, url: path, headers: { [name]: text }, about };
      if (place !== "query") continue;
      yield { ...base, url: `${path}?${name}=${text}`, headers: {}, about };
      yield {
        ...base,
        url: `${path}?${name}=1&${name}=${text}`,
        headers: {},
        about: `${about}, twice`,
      };
      yield {
        ...base,
        url: `${path}?${name}[a]=${text}`,
        headers: {},
        about: `${about}, as an object`,
      };
    }
}

function* hostileBodies(base: Base, document: Document, schema: Schema): Generator<HostileRequest> {
  const send = (payload: string, about: string, headers: Record<string, string> = json) => ({
    ...base,
    url: base.path,
    payload,
    about,
    headers,
  });
  for (const value of hostileValues) yield send(toJson(value), `the body is ${describe(value)}`);
  for (const text of ["", "{", "nonsense", "{}{}", '{"a":1,}'])
    yield send(text, `no JSON: ${text}`);
  yield send(`{"a":"${"x".repeat(300_000)}"}`, "a body that is too large");
  yield send("{}", "another type", { "content-type": "text/plain" });
  yield send("{}", "no type", {});
  for (const option of objectsOf(document, schema)) {
    const sample = sampleOf(document, option);
    yield send(toJson(sample), "what the schema describes");
    yield send(
      toJson(withMembers({ ...(sample as object) }, [["unknown", 1]])),
      "a member too many",
    );
    for (const { path, holder, name } of placesOf(sample, [])) {
      yield send(toJson(replaced(sample, holder, name, undefined)), `${path} is missing`);
      for (const value of hostileValues)
        yield send(toJson(replaced(sample, holder, name, value)), `${path} is ${describe(value)}`);
    }
  }
}

function describe(value: unknown): string {
  return (value instanceof Raw ? value.text : JSON.stringify(value)).slice(0, 60);
}

/** The schema itself, or each of those it lets choose from. */
function objectsOf(document: Document, schema: Schema): Schema[] {
  const known = resolve(document, schema);
  const options = known.anyOf ?? known.oneOf;
  return options === undefined ? [known] : options.flatMap((one) => objectsOf(document, one));
}

function resolve(document: Document, schema: Schema): Schema {
  const name = schema.$ref?.split("/").at(-1);
  return name === undefined ? schema : (document.components?.schemas?.[name] ?? schema);
}

/** Something that the schema allows, with every member that it names. */
function sampleOf(document: Document, given: Schema): unknown {
  const schema = resolve(document, given);
  const [first] = schema.anyOf ?? schema.oneOf ?? [];
  if (first !== undefined) return sampleOf(document, first);
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return schema.enum[0];
  if (schema.properties !== undefined)
    return Object.fromEntries(
      Object.entries(schema.properties).map(([name, member]) => [name, sampleOf(document, member)]),
    );
  if (schema.type === "array") return [sampleOf(document, schema.items ?? {})];
  if (schema.type === "integer" || schema.type === "number") return schema.minimum ?? 1;
  if (schema.type === "boolean") return true;
  return schema.format === "date-time" ? "2026-01-31T12:00:00Z" : "https://example.com/a.mp4";
}

interface Place {
  path: string;
  holder: object;
  name: string;
}

function placesOf(value: unknown, path: string[]): Place[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => [
    { path: [...path, name].join("."), holder: value, name },
    ...placesOf(member, [...path, name]),
  ]);
}

/** A copy with one member of one of its objects changed. */
function replaced(value: unknown, holder: object, name: string, member: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, one]): [string, unknown] => [
    key,
    value === holder && key === name ? member : replaced(one, holder, name, member),
  ]);
  return Array.isArray(value) ? entries.map(([, one]) => one) : Object.fromEntries(entries);
}
