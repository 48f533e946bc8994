import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { listPackages, root } from "./list-packages.ts";

const run = promisify(execFile);
/** A command that fetches our names from a public registry, where they may be somebody else's. */
const byName =
  /(?:npm (?:install|i|add|exec)|npx(?! --no )|pnpm \w+|yarn \w+|bunx?(?: \w+)?|deno (?:add|run)|(?:pipx?|uv)(?: \w+)+)(?: -[\w-]+)* (?:\S+ )*?(?:@zoetrope\/|zoetrope\b)(?!\S*\/packages\/)/;
const startsByName = /"(?:npx|bunx|uvx|pipx)"/;

/** Everything that people read: documents, and the texts within the programs. */
async function readTexts(): Promise<[name: string, text: string][]> {
  const { stdout } = await run("git", ["ls-files", "*.md", "*.txt", "*.ts", "*.tsx", "*.py"], {
    cwd: root,
    maxBuffer: 16 * 1024 * 1024,
  });
  const names = stdout.split("\n").filter((name) => name !== "" && !/\.(test|long)\./.test(name));
  return Promise.all(
    names.map(async (name) => [name, await readFile(join(root, name), "utf8")] as const),
  ).then((all) => all.map(([name, text]) => [name, text]));
}

test("nothing tells people to install our names from a public registry, and every address of a package is one of this release", async () => {
  for (const bad of ["npm install --global zoetrope", "pip install zoetrope", "npx zoetrope mcp"])
    expect(bad).toMatch(byName);
  const versions = new Set((await listPackages()).map(({ manifest }) => manifest.version));
  const python = await readFile(join(root, "packages/python/src/zoetrope/_version.py"), "utf8");
  versions.add(/VERSION = "([^"]+)"/.exec(python)?.[1] ?? "");
  expect([...versions]).toHaveLength(1);
  const [version = ""] = versions;
  const files = [
    ...["zoetrope", "zoetrope-sdk", "zoetrope-ai-sdk", "zoetrope-dev"].map(
      (name) => `${name}-${version}.tgz`,
    ),
    `zoetrope-${version}-py3-none-any.whl`,
  ];
  let addresses = 0;
  const faults: string[] = [];
  for (const [name, text] of await readTexts()) {
    for (const line of text.split("\n"))
      if (byName.test(line) || startsByName.test(line)) faults.push(`${name}: ${line.trim()}`);
    for (const [, file = ""] of text.matchAll(/\.com\/packages\/([\w.-]+\.(?:tgz|whl))/g)) {
      addresses += 1;
      if (!files.includes(file)) faults.push(`${name}: ${file} is not of this release`);
    }
  }
  expect(faults).toEqual([]);
  expect(addresses).toBeGreaterThan(5);
});
