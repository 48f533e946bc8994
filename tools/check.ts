import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { findCycles, findUpward } from "./check-layers.ts";
import { readImports } from "./imports.ts";

/**
 * Format, lint, types, dead code and layers. `node tools/check.ts layers DIR` checks the layers of
 * another folder and nothing else.
 */
const linesMax = 300;
/** May be longer: a catalogue is read by searching. */
const isExempt = (file: string) =>
  file.endsWith("packages/server/src/errors.ts") || /\/(generated|admin-types)\.ts$/.test(file);
const isTest = (file: string) => /\.test\.tsx?$|(^|\/)test\//.test(file);

/** Parts with dependencies of their own, whose types can be checked only where those are installed. */
const optionalParts = ["packages/reviewer", "tools/openapi", "tools/deploy", "tools/clients"];

const print = (text: string) => process.stdout.write(`${text}\n`);
const root = fileURLToPath(new URL("../", import.meta.url));
const [only, dir = root] = process.argv.slice(2);

const steps: readonly (readonly string[])[] =
  only === "layers"
    ? []
    : [
        ["biome", "ci", "--error-on-warnings", "."],
        ["tsc", "--noEmit"],
        ...optionalParts.filter(isInstalled).map((part) => ["tsc", "--noEmit", "-p", part]),
        ["knip", "--no-config-hints"],
      ];
let failed = 0;
for (const [program = "", ...args] of steps) {
  const path = join(root, "node_modules/.bin", program);
  if (spawnSync(path, args, { cwd: root, stdio: "inherit" }).status !== 0) failed++;
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

const lengths = new Map<string, number>();
for (const file of imports.keys()) {
  if (isExempt(file)) continue;
  const lines = (await readFile(join(dir, file), "utf8")).split("\n").length - 1;
  if (lines >= linesMax) print(`${file} has ${lines} lines; split it below ${linesMax}`);
  lengths.set(file, lines);
}
const longest = Math.max(0, ...lengths.values());
/** Of sources: a test file grows with what it guarantees. */
const ofSources = [...lengths].filter(([file]) => !isTest(file)).map(([, lines]) => lines);
const median = ofSources.sort((a, b) => a - b)[Math.floor(ofSources.length / 2)] ?? 0;
const isLayered = upward.length === 0 && cycles.length === 0;
print(
  `layers=${isLayered ? "ok" : "broken"} cycles=${cycles.length} upward=${upward.length} longest=${longest} median=${median}`,
);
process.exitCode = failed === 0 && isLayered && longest < linesMax ? 0 : 1;
