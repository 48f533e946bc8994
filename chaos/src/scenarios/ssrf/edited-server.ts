import { cp, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const serverPackage = join(root, "packages/server");

/** A text that stands exactly once in a file of the server's `src`, and what stands there instead. */
export interface Edit {
  file: string;
  text: string;
  instead: string;
}

export interface EditedServer {
  /** To start api and worker from. */
  dir: string;
  /** The source as it is, with these edits and no others. What runs sees them after a restart. */
  edit(edits: readonly Edit[]): Promise<void>;
}

/** A copy of the server's package that can be changed. */
export async function copyServer(dir: string): Promise<EditedServer> {
  for (const part of ["src", "migrations", "package.json"])
    await cp(join(serverPackage, part), join(dir, part), { recursive: true });
  await symlink(join(root, "node_modules"), join(dir, "node_modules"));
  const originals = new Map<string, string>();
  return {
    dir,
    async edit(edits) {
      for (const [path, source] of originals) await writeFile(path, source);
      for (const { file, text, instead } of edits) {
        const path = join(dir, "src", file);
        const source = await readFile(path, "utf8");
        if (!originals.has(path)) originals.set(path, source);
        const times = source.split(text).length - 1;
        if (times !== 1) throw new Error(`${file} has ${times} times, not once: ${text}`);
        await writeFile(
          path,
          source.replace(text, () => instead),
        );
      }
    },
  };
}
