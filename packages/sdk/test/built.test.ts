import { execFile } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { makeScratch } from "@zoetrope/testkit/services/scratch.ts";
import { expect, test } from "vitest";

const sdk = join(import.meta.dirname, "..");
const gzippedBytesMax = 20 * 1024;

test("the built package as one file has at most 20 KB without being minified, and nothing that only Node has", async () => {
  await using scratch = await makeScratch("sdk-built");
  const tsc = join(sdk, "../../node_modules/.bin/tsc");
  const options = ["-p", join(sdk, "tsconfig.build.json"), "--outDir", scratch.path];
  await promisify(execFile)(tsc, options);
  const names = (await readdir(scratch.path)).filter((name) => name.endsWith(".js"));
  const files = await Promise.all(names.map((name) => readFile(join(scratch.path, name), "utf8")));
  expect(names).toContain("index.js");
  expect(gzipSync(files.join("\n")).length).toBeLessThanOrEqual(gzippedBytesMax);
  const code = files.join("\n").replace(/\/\*.*?\*\/|\/\/.*$/gms, "");
  expect(code).not.toMatch(/(from|import|require)\s*\(?\s*["']node:/);
  expect(code).not.toMatch(/\bBuffer\b|\brequire\(|__dirname|import\.meta/);
  for (const [, specifier = ""] of code.matchAll(/from "([^"]+)"/g))
    expect(specifier).toMatch(/^\.\/[a-z-]+\.js$/);
});
