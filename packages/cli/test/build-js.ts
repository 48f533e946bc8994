import { mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { stripTypeScriptTypes } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const packageDir = fileURLToPath(new URL("..", import.meta.url));

/** The program as JavaScript, as it is installed: below node_modules Node strips no types. */
export async function buildJs(dir: string): Promise<string> {
  const src = join(packageDir, "src");
  for (const name of await readdir(src, { recursive: true })) {
    if (!name.endsWith(".ts") || name.endsWith(".test.ts")) continue;
    const code = stripTypeScriptTypes(await readFile(join(src, name), "utf8"));
    const path = join(dir, "dist", name.replace(/\.ts$/, ".js"));
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, code.replace(/(["'])(\.[^"']*)\.ts\1/g, '"$2.js"'));
  }
  await writeFile(join(dir, "package.json"), await readFile(join(packageDir, "package.json")));
  await symlink(join(packageDir, "../../node_modules"), join(dir, "node_modules"));
  return join(dir, "dist/main.js");
}
