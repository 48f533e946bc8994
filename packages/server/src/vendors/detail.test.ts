import { expect, test } from "vitest";
import { detailOf } from "./detail.ts";

test.each([
  [[400, "Code:", "words"], "400 Code: words"],
  [["two\nlines\u0000\u001b[31m"], "two lines  [31m"],
  [["half a character \ud83d"], "half a character \ufffd"],
  [
    ["Error while downloading: https://a.example/b.png?sig=1&x=2, 404"],
    "Error while downloading: https://a.example/b.png?… 404",
  ],
  [
    ['see "HTTPS://a.example/#secret" and http://b.example/c'],
    'see "HTTPS://a.example/?…" and http://b.example/c',
  ],
])("%j is kept as %j", (parts, kept) => {
  expect(detailOf(...parts)).toBe(kept);
});

test("a long detail is cut, also within a link or a character", () => {
  expect(detailOf("x".repeat(1_000))).toHaveLength(500);
  expect(detailOf("x".repeat(499), "🦊")).toHaveLength(500);
  const link = `https://a.example/?${"s".repeat(1_000)}`;
  expect(detailOf(link)).toBe("https://a.example/?…");
  expect(detailOf("🦊".repeat(300))).toSatisfy((text: string) => text.isWellFormed());
});
