import fc from "fast-check";
import { z } from "zod";
import { models } from "../../src/models/catalogue.ts";

/** Text that goes into the JSON as it stands: for what `JSON.stringify` would never write. */
export class Raw {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

export function toJson(value: unknown): string {
  if (value instanceof Raw) return value.text;
  if (Array.isArray(value)) return `[${value.map(toJson).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${toJson(member)}`).join(",")}}`;
}

const deep = 10_000;
const nested = [
  new Raw("[".repeat(deep) + "]".repeat(deep)),
  new Raw(`${'{"a":'.repeat(deep)}1${"}".repeat(deep)}`),
];
const numbers = [
  0,
  -1,
  -2,
  1,
  1.5,
  29,
  30,
  31,
  2_147_483_647,
  2_147_483_648,
  Number.MAX_SAFE_INTEGER,
  ...["1e400", "-1e400", "1e-400", "-0", "9007199254740993", "1E2"].map((text) => new Raw(text)),
];
const texts = [
  "",
  " ",
  "\u0000",
  "a\u0000b",
  "\ud83d",
  "\udc00 tail",
  "\ufeff",
  "\u202e",
  "a".repeat(4_999),
  "a".repeat(5_000),
  "a".repeat(5_001),
  "木".repeat(2_499),
  "木".repeat(2_500),
  "木".repeat(2_501),
  `${"木".repeat(2_000)}${"a".repeat(1_000)}`,
  `${"木".repeat(2_000)}${"a".repeat(1_001)}`,
  "--dur 15 --rs 4k",
  "2s",
  "3s",
  "4",
  "15s",
  "16s",
  "5 s",
  "٥s",
  "720P",
  "__proto__",
  "https://example.com/a.png",
  "http://127.0.0.1/",
  "http://[::1]/",
  "https://user:pass@example.com/",
  "asset://asset-20260101000000-abcde",
  "asset://",
  "asset://asset-1-2/../../x",
  "file:///etc/passwd",
  "data:image/png;base64,AAAA",
  "javascript:alert(1)",
  `https://example.com/${"x".repeat(5_000)}`,
];
const anyText = fc.oneof(
  fc.constantFrom(...texts),
  fc.string({ unit: "binary" }),
  fc.string({ unit: "grapheme" }),
);
const lists = fc.array(anyText, { maxLength: 14 });
const anything: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 3, arbitrary: anyText },
  { weight: 3, arbitrary: fc.constantFrom<unknown>(...numbers) },
  { weight: 2, arbitrary: lists },
  { weight: 1, arbitrary: fc.constantFrom<unknown>(null, true, false, undefined, ...nested) },
  { weight: 1, arbitrary: fc.jsonValue() },
);

/** Values around the limits that the published schema of a parameter states. */
function boundariesOf(schema: z.core.JSONSchema.BaseSchema): unknown[] {
  const around = (limit: number | undefined) =>
    limit === undefined ? [] : [limit - 1, limit, limit + 1];
  if (schema.enum !== undefined)
    return schema.enum.flatMap((one) => [one, `${one} `, String(one).toUpperCase()]);
  if (schema.type === "integer") return [...around(schema.minimum), ...around(schema.maximum)];
  if (schema.type === "array")
    return [...around(schema.minItems), ...around(schema.maxItems)].flatMap((length) =>
      ["https://example.com/a.png", "asset://asset-20260101000000-abcde"].map((url) =>
        Array.from({ length: Math.max(length, 0) }, () => url),
      ),
    );
  return [true, false, "5s", "a prompt"];
}

const stranger = fc.tuple(
  fc.oneof(
    fc.constantFrom(
      "__proto__",
      "constructor",
      "prototype",
      "toString",
      "quality",
      "videoUrls",
      "",
    ),
    fc.string({ unit: "binary" }),
  ),
  anything,
);

/** The inputs of one mode, with some members made wrong, left out, or added. */
function hostileInputsOf(model: (typeof models)[number], mode: (typeof model.modes)[number]) {
  const { properties = {} } = z.toJSONSchema(mode.inputs, { io: "input" });
  const change = fc.oneof(
    ...Object.entries(properties).map(([name, schema]) => {
      const near = typeof schema === "object" ? boundariesOf(schema) : [];
      const value = fc.oneof(anything, fc.constantFrom<unknown>(...near, undefined));
      return value.map((member): [string, unknown] => [name, member]);
    }),
  );
  const changes = fc.oneof(
    { weight: 6, arbitrary: fc.array(change, { minLength: 1, maxLength: 3 }) },
    { weight: 1, arbitrary: fc.tuple(stranger) },
  );
  return changes.map((made) => ({ model: model.name, inputs: withMembers(mode.example, made) }));
}

/** Made once: a schema and its generators cost more than a body. */
const hostileInputs = fc.oneof(
  ...models.map((model) => fc.oneof(...model.modes.map((mode) => hostileInputsOf(model, mode)))),
);

/** Defined, not assigned: a member named `__proto__` is to be a member. */
export function withMembers(base: object, members: [string, unknown][]): object {
  const made = { ...base };
  for (const [name, value] of members)
    Object.defineProperty(made, name, { value, enumerable: true, configurable: true });
  return made;
}

const hostileTop = fc
  .tuple(
    hostileInputs,
    fc.array(
      fc.tuple(
        fc.constantFrom("model", "inputs", "callBackUrl", "maxCredits", "__proto__", "extra", ""),
        anything,
      ),
      { minLength: 1, maxLength: 2 },
    ),
  )
  .map(([body, changes]) => withMembers(body, changes));

/** Bodies for createTask that are wrong in every way we know, as the text that is sent. */
export const hostileBody: fc.Arbitrary<string> = fc.oneof(
  { weight: 7, arbitrary: hostileInputs.map(toJson) },
  { weight: 2, arbitrary: hostileTop.map(toJson) },
  {
    weight: 1,
    arbitrary: fc.oneof(
      anything.map(toJson),
      hostileInputs.map((body) => toJson(body).slice(0, -1)),
      fc.string({ unit: "binary" }),
    ),
  },
);
