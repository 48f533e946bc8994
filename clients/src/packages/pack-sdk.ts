import { execFile } from "node:child_process";
import { cp, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const run = promisify(execFile);
const root = fileURLToPath(new URL("../../../", import.meta.url));

/** The SDK as it is published, in `dir`; answers its tarball. */
export async function packSdk(dir: string): Promise<string> {
  const source = join(root, "packages/sdk");
  const built = join(dir, "sdk");
  await mkdir(built, { recursive: true });
  const tsc = join(root, "node_modules/.bin/tsc");
  await run(tsc, ["-p", join(source, "tsconfig.build.json"), "--outDir", join(built, "dist")]);
  const { devDependencies: _, ...manifest } = JSON.parse(
    await readFile(join(source, "package.json"), "utf8"),
  ) as Record<string, unknown>;
  const exports = {
    ".": { types: "./dist/index.d.ts", default: "./dist/index.js" },
    "./package.json": "./package.json",
  };
  const packed = { ...manifest, exports, types: "./dist/index.d.ts", files: ["dist"] };
  await writeFile(join(built, "package.json"), JSON.stringify(packed, null, 2));
  for (const file of ["README.md"]) await cp(join(source, file), join(built, file));
  const { stdout } = await run("npm", ["pack", "--json", "--pack-destination", dir], {
    cwd: built,
  });
  const [{ filename }] = JSON.parse(stdout) as [{ filename: string }];
  return join(dir, filename);
}
