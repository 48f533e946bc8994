/** Bodies that no vendor means to send. */
export const hostileBodies: readonly (readonly [name: string, body: string | Buffer])[] = [
  ["nothing", ""],
  ["HTML", "<html><body><h1>502 Bad Gateway</h1></body>"],
  ["half of something", '{"id":"cgt-1","output":{"task_id":'],
  ["null", "null"],
  ["a number", "1e999"],
  ["a text", '"id"'],
  ["an empty list", "[]"],
  ["an empty object", "{}"],
  ["lists in lists", "[".repeat(200_000)],
  ["closed lists in lists", "[".repeat(100_000) + "]".repeat(100_000)],
  ["objects in objects", `${'{"error":'.repeat(50_000)}1${"}".repeat(50_000)}`],
  ["eight megabytes of one text", JSON.stringify({ id: "x".repeat(8 * 1024 * 1024) })],
  ["eight megabytes of many items", `[${"0,".repeat(4 * 1024 * 1024)}0]`],
  ["no UTF-8", Buffer.from([0x7b, 0xff, 0xfe, 0x00, 0x7d])],
  ["a prototype", '{"__proto__":{"id":"x","code":"x","error":{}},"constructor":{"prototype":1}}'],
];

const hostileValues: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1e308,
  "",
  "\u0000",
  "two\nlines\u001b[31m",
  "\ud800",
  "x".repeat(100_000),
  "javascript:alert(1)",
  "file:///etc/passwd",
  [],
  {},
  [[[[]]]],
  { toString: 1, length: -1 },
];

/** Reports of usage without an amount in them. */
export const hostileUsages: readonly unknown[] = [
  null,
  5,
  "108900",
  [],
  [{ tokens: 1 }],
  {},
  { tokens: -1 },
  { tokens: 1e300 },
  { tokens: 1e-300 },
  { tokens: "1" },
  { tokens: null },
  { tokens: [1] },
  { a: { b: { c: { tokens: 1 } } } },
  { "\u0000": 1, "two words": 1, [`${"x".repeat(1_000)}`]: 1 },
  Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`unit${index}`, index])),
];

/** Copies of a good response, each with one value in it replaced by a hostile one or left out. */
export function* spoil(good: unknown): Generator<unknown> {
  for (const path of pathsOf(good)) {
    for (const value of hostileValues) yield replace(good, path, value);
    yield replace(good, path, undefined);
  }
}

function pathsOf(value: unknown): string[][] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [
    [key],
    ...pathsOf(inner).map((path) => [key, ...path]),
  ]);
}

function replace(value: unknown, [key, ...rest]: string[], by: unknown): unknown {
  if (key === undefined || typeof value !== "object" || value === null) return by;
  const copy = structuredClone(value) as Record<string, unknown>;
  copy[key] = replace(copy[key], rest, by);
  return copy;
}
