import { expect, test } from "vitest";
import { errorCatalogue } from "../errors.ts";
import { models } from "./catalogue.ts";
import { sharedFields } from "./fields.ts";
import { modeTexts } from "./mode-texts.ts";

/** The words to avoid, as in the console's texts: each thing has one word. */
const otherWords = /点数|放大|沙箱|图像|画面比例|长宽比|帐户|账号/;

test("a form has no words of an API, and what it says instead is not in the API's documents", () => {
  const modes = models.flatMap((model) => Object.values(model.modes));
  const fields = modes.flatMap((mode) => Object.values(mode.fields));
  expect(fields.length).toBeGreaterThan(50);
  for (const { help, description } of fields) {
    expect(JSON.stringify(help ?? description)).not.toMatch(
      /omitted|false gives|Whether to|不传|为 false|outputResolution|-1\b/,
    );
    expect(JSON.stringify(description)).not.toMatch(/empty|above|留空|上面/);
  }
});

test.each([
  ["errors", errorCatalogue],
  ["models", models.map(({ title, summary }) => ({ title, summary }))],
  ["fields", sharedFields],
  ["modes", modeTexts],
])("the texts of %s have one word for each thing", (_, texts) => {
  expect(JSON.stringify(texts)).not.toMatch(otherWords);
});
