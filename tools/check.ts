import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { findCycles, findUpward } from "./check-layers.ts";
import { readImports } from "./imports.ts";
import { layers } from "./layers.ts";

/**
 * Format, lint, types, dead code and layers. `node tools/check.ts layers DIR` checks the layers of
 * another folder and nothing else.
 */
const linesMax = 500;
/** May be longer: a catalogue is read by searching. */
const isExempt = (file: string) =>
  file.endsWith("packages/server/src/errors.ts") || /\/(generated|admin-types)\.ts$/.test(file);
const isTest = (file: string) => /\.test\.tsx?$|(^|\/)test\//.test(file);

/** Parts with separate dependencies, whose types can be checked only where those are installed. */
const optionalParts = [
  "packages/reviewer",
  "packages/signer",
  "tools/openapi",
  "tools/deploy",
  "tools/clients",
];

const print = (text: string) => process.stdout.write(`${text}\n`);
const root = fileURLToPath(new URL("../", import.meta.url));
const [only, dir = root] = process.argv.slice(2);

const steps: readonly (readonly string[])[] =
  only === "layers"
    ? []
    : [
        ["biome", "ci", "--error-on-warnings", "."],
        typesOf("."),
        ...optionalParts.filter(isInstalled).map(typesOf),
        ["knip", "--no-config-hints"],
      ];
let failed = 0;
for (const [program = "", ...args] of steps) {
  const path = join(root, "node_modules/.bin", program);
  if (spawnSync(path, args, { cwd: root, stdio: "inherit" }).status !== 0) failed++;
}

/** Checks what has changed since the last time. */
function typesOf(part: string): string[] {
  const kept = `node_modules/.cache/types/${part.replaceAll(/\W/g, "-")}.json`;
  return ["tsc", "--noEmit", "-p", part, "--incremental", "--tsBuildInfoFile", kept];
}

function isInstalled(part: string): boolean {
  const found = existsSync(join(root, part, "node_modules"));
  if (!found) print(`${part}: types not checked; to check them: npm ci --prefix ${part}`);
  return found;
}

const imports = await readImports(dir);
const upward = findUpward(imports);
const cycles = findCycles(imports);
for (const fault of upward) print(fault);
for (const group of cycles) print(`a cycle of imports: ${group.join(", ")}`);

let tooLong = 0;
for (const file of imports.keys()) {
  if (isExempt(file) || isTest(file)) continue;
  const lines = (await readFile(join(dir, file), "utf8")).split("\n").length - 1;
  if (lines < linesMax) continue;
  tooLong += 1;
  print(`${file} has ${lines} lines; split it below ${linesMax}`);
}
const server = "packages/server/src/";
const loose = [...imports.keys()].filter(
  (file) => file.startsWith(server) && !file.slice(server.length).includes("/") && !isTest(file),
).length;
print(`layers=${layers.length} cycles=${cycles.length} upward=${upward.length} loose=${loose}`);
const isLayered = upward.length === 0 && cycles.length === 0;
process.exitCode = failed === 0 && isLayered && tooLong === 0 ? 0 : 1;
