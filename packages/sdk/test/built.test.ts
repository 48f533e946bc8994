import { execFile } from "node:child_process";
import { glob, readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { makeScratch } from "@zoetrope/testkit/services/scratch.ts";
import { expect, test } from "vitest";
import { packPackages } from "../../../tools/pack/pack-packages.ts";
import type * as sdk from "../src/index.ts";
import { refusesUnknownOptions } from "./unknown-options.ts";

const modulesBytesMax = 26_000;
const wholeBytesMax = 20_000;

test("the packed modules have at most 20 KB compressed together and 26 KB each on its own, not minified; nothing that only Node has; their calls refuse unknown options", async () => {
  await using scratch = await makeScratch("sdk-built");
  const [tarball = ""] = await packPackages(scratch.path, ["sdk"]);
  await promisify(execFile)("tar", ["-xzf", tarball, "-C", scratch.path]);
  const dist = join(scratch.path, "package/dist");
  const modules = new Map<string, string>();
  for await (const name of glob("**/*.js", { cwd: dist }))
    modules.set(name, await readFile(join(dist, name), "utf8"));
  expect(modules.keys()).toContain("index.js");
  const sizes = Array.from(modules.values(), (code) => gzipSync(code).length);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(modulesBytesMax);
  const code = [...modules.values()].join("\n");
  expect(gzipSync(code).length).toBeLessThanOrEqual(wholeBytesMax);
  expect(code).not.toMatch(/(from|import|require)\s*\(?\s*["']node:/);
  expect(code).not.toMatch(/\bBuffer\b|\brequire\(|__dirname|import\.meta/);
  for (const [, specifier = ""] of code.matchAll(/from "([^"]+)"/g))
    expect(specifier).toMatch(/^\.\/[a-z-]+\.js$/);
  expect(await readFile(join(dist, "zoetrope.d.ts"), "utf8")).toContain(
    "/** Creates a task, waits",
  );
  const packed: typeof sdk = await import(join(dist, "index.js"));
  await refusesUnknownOptions(packed);
});
