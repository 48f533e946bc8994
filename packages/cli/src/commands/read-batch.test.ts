import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readBatch } from "./read-batch.ts";

test("a line with a limit or an address that is misspelt or of the wrong type is refused with its number, never without the limit", async () => {
  const dir = await mkdtemp(join(tmpdir(), "zoetrope-batch-"));
  const path = join(dir, "all.jsonl");
  const defaults = { model: "sd2", inputs: {} };
  const good = { inputs: { prompt: "a fox" }, maxCredits: 3, callBackUrl: "https://example.com" };
  try {
    for (const wrong of [{ maxCredits: "3" }, { maxCredits: null }, { callBackUrl: 7 }]) {
      const lines = [good, { ...good, ...wrong }].map((line) => JSON.stringify(line));
      await writeFile(path, lines.join("\n"));
      await expect(readBatch(path, defaults)).rejects.toThrow(/^Line 2: '\w+' is not a/);
    }
    await writeFile(path, JSON.stringify({ ...good, max_credits: 3 }));
    await expect(readBatch(path, defaults)).rejects.toThrow("Line 1: max_credits is not known");
    await writeFile(path, JSON.stringify(good));
    expect(await readBatch(path, defaults)).toEqual([{ line: 1, model: "sd2", ...good }]);
  } finally {
    await rm(dir, { recursive: true });
  }
});
