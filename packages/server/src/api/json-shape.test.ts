import { expect, test } from "vitest";
import { faultOfShape } from "./json-shape.ts";

const of = (text: string) => faultOfShape(Buffer.from(text));

test("what is nested too deeply is found, whichever brackets it has", () => {
  expect(of("[".repeat(64) + "]".repeat(64))).toBeNull();
  expect(of("[".repeat(65) + "]".repeat(65))).toContain("nested");
  expect(of(`${'{"a":'.repeat(65)}1${"}".repeat(65)}`)).toContain("nested");
});

test("too many values are found, of lists and of objects", () => {
  expect(of(JSON.stringify(Array.from({ length: 5_000 }, () => 1)))).toBeNull();
  expect(of(JSON.stringify(Array.from({ length: 5_001 }, () => 1)))).toContain("5000 values");
  const members = Object.fromEntries(Array.from({ length: 5_001 }, (_, i) => [`k${i}`, 1]));
  expect(of(JSON.stringify(members))).toContain("5000 values");
});

test("brackets and commas inside texts are texts", () => {
  expect(of(JSON.stringify({ prompt: `${"[{,".repeat(9_000)}\\"` }))).toBeNull();
  expect(of(JSON.stringify({ prompt: '"[\\', urls: [] }))).toBeNull();
  expect(of('{"never closed: [[[')).toBeNull();
});
