import { expect, test } from "vitest";
import manifest from "../package.json" with { type: "json" };
import { cleanAll, cleanText } from "./clean-text.ts";
import { digestOf } from "./digest.ts";
import { version } from "./version.ts";

test.each([
  ["a\u0000b\u001b[31mc\u0085d", "a b [31mc d"],
  ["right\u202eto left", "right to left"],
  ["zero\u200bwidth\ufeff", "zero width "],
  ["tags \u{e0049}\u{e0067}", "tags   "],
  ["lone \ud800 surrogate", "lone \ufffd surrogate"],
  ["中文 émoji 👩‍🚀", "中文 émoji 👩 🚀"],
])("%j is shown as %j", (given, shown) => {
  expect(cleanText(given)).toBe(shown);
});

test("text that is long is cut off", () => {
  expect(cleanText("x".repeat(5_000))).toHaveLength(4_001);
});

test("every text of a value is cleaned, names of members included", () => {
  expect(cleanAll({ "a\u202e": ["b\n", { c: 1, d: null }] })).toEqual({
    "a ": ["b ", { c: 1, d: null }],
  });
});

test("the order of members does not change a digest, everything else does", () => {
  expect(digestOf("t", { a: 1, b: { c: 2, d: 3 } })).toBe(
    digestOf("t", { b: { d: 3, c: 2 }, a: 1 }),
  );
  const others = [
    digestOf("t", { a: "1" }),
    digestOf("t", { a: 1 }),
    digestOf("u", { a: 1 }),
    digestOf("t", { a: [1] }),
  ];
  expect(new Set(others).size).toBe(4);
});

test("the version is the package's", () => {
  expect(version).toBe(manifest.version);
});
