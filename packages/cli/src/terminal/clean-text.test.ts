import { expect, test } from "vitest";
import { cleanText } from "./clean-text.ts";

test("what a service says cannot move the cursor, set a title, or turn the direction of text", () => {
  expect(cleanText("a\u001b[2J\u001b]0;title\u0007b")).toBe("a [2J ]0;title b");
  expect(cleanText("one\r\ntwo\u0085\u202ethree")).toBe("one two three");
  expect(cleanText("苍鹭 · héron")).toBe("苍鹭 · héron");
});
