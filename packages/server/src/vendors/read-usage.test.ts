import { expect, test } from "vitest";
import { readUsage } from "./read-usage.ts";

test("amounts are read by the vendor's names, exactly, and those of a part by both names", () => {
  expect(
    readUsage({
      input_tokens: 1_039,
      input_tokens_details: { text_tokens: 15, image_tokens: 1_024 },
      duration: 5.04,
      video_count: 0,
    }),
  ).toEqual({
    input_tokens: "1039",
    "input_tokens_details.text_tokens": "15",
    "input_tokens_details.image_tokens": "1024",
    duration: "5.04",
    video_count: "0",
  });
});

test("what is no amount is left out, and the amounts beside it stay", () => {
  expect(readUsage({ SR: 720, ratio: "16:9", tokens: "7", more: null })).toEqual({ SR: "720" });
});

const many = Object.fromEntries(Array.from({ length: 31 }, (_, index) => [`unit${index}`, index]));
test.each<[string, unknown]>([
  ["nothing", undefined],
  ["null", null],
  ["a number", 5],
  ["a text", "108900"],
  ["a list", [1, 2]],
  ["an empty object", {}],
  ["a negative amount", { tokens: -1 }],
  ["a huge amount", { tokens: 1e12 }],
  ["an amount beyond numbers", { tokens: JSON.parse("1e999") }],
  ["NaN", { tokens: Number.NaN }],
  ["an amount too small to write", { tokens: 1e-9 }],
  ["a text for an amount", { tokens: "108900" }],
  ["a truth", { tokens: true }],
  ["amounts two levels down", { a: { b: { tokens: 1 } } }],
  ["amounts in a list", { tokens: [1] }],
  ["names that are none", { "a b": 1, "": 2, "a\u0000": 3, [`x${"y".repeat(40)}`]: 4 }],
  ["the prototype", JSON.parse('{"__proto__":{"tokens":1}}')],
  ["more amounts than any vendor reports", many],
  [
    "a million names",
    { tokens: Object.fromEntries(Array.from({ length: 1e5 }, (_, n) => [`u${n}`, n])) },
  ],
])("%s is unknown", (_what, reported) => {
  expect(readUsage(reported)).toBeNull();
});
