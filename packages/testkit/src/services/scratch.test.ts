import { stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeScratch } from "./scratch.ts";

test("goes away with its contents, and twice does no harm", async () => {
  let path = "";
  {
    await using scratch = await makeScratch("test");
    path = scratch.path;
    await writeFile(join(path, "file"), "x");
    expect((await stat(path)).mode & 0o777).toBe(0o711);
    await scratch.remove();
  }
  await expect(stat(path)).rejects.toThrow("ENOENT");
});
