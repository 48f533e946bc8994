import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { childEnv } from "./services/command-line.ts";

const run = promisify(execFile);
const buildMsMax = 600_000;
const notSources = ["dist", "node_modules", "test"];

/**
 * Builds the console where it is there as sources that are newer than the last build; an installed one comes
 * built. Returns whether there is a console.
 */
export async function buildConsole(onBuild: () => void): Promise<boolean> {
  const dir = findPackage("@zoetrope/console", import.meta.url);
  if (dir === null) return false;
  if (!existsSync(join(dir, "src"))) return existsSync(join(dir, "dist/index.html"));
  const names = (await readdir(dir)).filter((name) => !notSources.includes(name));
  const sdk = findPackage("@zoetrope/sdk", join(dir, "package.json")); // bundled with it
  const sources = [...names.map((name) => join(dir, name)), ...(sdk === null ? [] : [sdk])];
  const changedAt = Math.max(...(await Promise.all(sources.map(changeTime))));
  if ((await changeTime(join(dir, "dist/index.html"))) >= changedAt) return true;
  onBuild();
  const vite = findPackage("vite", join(dir, "package.json"));
  if (vite === null) throw new Error("The console cannot be built: type npm install first.");
  await run(process.execPath, [join(vite, "bin/vite.js"), "build", "--logLevel", "error"], {
    cwd: dir,
    env: childEnv({}),
    timeout: buildMsMax,
  }).catch(({ stderr, message }: Error & { stderr?: string }) => {
    throw new Error(`The console cannot be built: ${stderr?.trim() || message}`);
  });
  return true;
}

function findPackage(name: string, from: string): string | null {
  try {
    return dirname(createRequire(from).resolve(`${name}/package.json`));
  } catch {
    return null;
  }
}

/**
 * Returns the change time of the newest file in a folder in milliseconds, or 0 if the path does not
 * exist.
 */
async function changeTime(path: string): Promise<number> {
  const found = await stat(path).catch(() => null);
  if (found === null) return 0;
  if (!found.isDirectory()) return found.mtimeMs;
  const names = await readdir(path, { recursive: true });
  const times = names.map(async (name) => (await stat(join(path, name))).mtimeMs);
  return Math.max(0, ...(await Promise.all(times)));
}
