import { execFile } from "node:child_process";
import { chmod, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { root } from "./list-packages.ts";

const run = promisify(execFile);
const buildMsMax = 120_000;

/** Builds the wheel of the Python client into `dir` and returns its path. */
export async function buildWheel(dir: string): Promise<string> {
  await mkdir(dir, { recursive: true });
  // Debian's, which has the packages of Debian.
  const args = ["-B", "-m", "hatchling", "build", "--target", "wheel", "--directory", dir];
  const { stdout, stderr } = await run("/usr/bin/python3", args, {
    cwd: join(root, "packages/python"),
    timeout: buildMsMax,
  }).catch((error: Error & { stderr?: string }) => {
    const cause = error.stderr?.trim() || error.message;
    throw new Error(`the wheel cannot be built (it needs python3-hatchling of Debian):\n${cause}`);
  });
  const name = /[\w.]+-[\w.]+-py3-none-any\.whl/.exec(stdout + stderr)?.[0];
  if (name === undefined) throw new Error(`the wheel cannot be built:\n${stdout}${stderr}`);
  await chmod(join(dir, name), 0o644); // hatchling lets nobody else read it
  return join(dir, name);
}
