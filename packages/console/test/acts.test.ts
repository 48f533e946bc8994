import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const here = new URL("./", import.meta.url);

/** Each sets the focus or the text itself, and so hides that somebody with a keyboard cannot. */
const shortcuts = /\.(?:fill|focus|insertText|setChecked|pressSequentially)\(/;

test("journeys do what a person can: they press keys and click, and never set a focus or a text", () => {
  const files = ["journeys", "suites"].flatMap((dir) =>
    readdirSync(new URL(dir, here)).map((name) => `${dir}/${name}`),
  );
  const lines = files.flatMap((file) =>
    readFileSync(new URL(file, here), "utf8")
      .split("\n")
      .map((line, at) => `${file}:${at + 1} ${line.trim()}`),
  );
  expect(lines.filter((line) => shortcuts.test(line))).toEqual([]);
});
