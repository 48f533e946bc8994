import { execFile } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const run = promisify(execFile);
const programs = fileURLToPath(
  new URL("../../../../tools/clients/node_modules/.bin/", import.meta.url),
);

/**
 * Returns the complaints of publint and are-the-types-wrong about a tarball; empty if all is well.
 * publint's suggestions count too. The packages are ESM only, which every supported Node can also
 * `require`.
 */
export async function findPackageFaults(tarball: string): Promise<string[]> {
  const said = await Promise.all([
    complaints("publint", ["run", tarball, "--strict"], "All good!"),
    complaints("attw", [tarball, "--profile", "esm-only", "--no-definitely-typed"], ""),
  ]);
  return said.flat();
}

async function complaints(program: string, args: string[], praise: string): Promise<string[]> {
  try {
    const { stdout } = await run(join(programs, program), args);
    return stdout.includes(praise) ? [] : [`${program}: ${stdout}`];
  } catch (error) {
    const { stdout = "", stderr = "" } = error as { stdout?: string; stderr?: string };
    return [`${program}: ${stdout}${stderr}`];
  }
}
