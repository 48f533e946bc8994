import { expect, test } from "vitest";
import { fill, recall } from "../errors.ts";
import { languageOf } from "./in-language.ts";

test("a stored sentence is found by its template and said with its values in the other language", () => {
  const template = { en: "{0} of {1} (at most).", zh: "{1} 中的 {0}（最多）。" };
  expect(recall([template], "zh", fill(template.en, [3, "a.b"]))).toBe("a.b 中的 3（最多）。");
  expect(recall([template], "zh", "another sentence")).toBe("another sentence");
});

test.each([
  [undefined, "en"],
  ["", "en"],
  ["*", "en"],
  ["fr-FR, de;q=0.8", "en"],
  ["zh", "zh"],
  ["ZH-cn", "zh"],
  ["zh-Hans-CN,zh;q=0.9,en;q=0.8", "zh"],
  ["en-GB,en;q=0.9,zh-CN;q=0.8", "en"],
  ["en;q=0.5, zh ; q=0.7", "zh"],
  ["fr, zh-TW;q=0.3", "zh"],
  ["zh;q=0", "en"],
  ["zh;q=none, en;q=0.1", "en"],
  ["zhx, x-zh", "en"],
  [",;,=", "en"],
])("Accept-Language %j selects %s", (header, language) => {
  expect(languageOf(header)).toBe(language);
});
