import { existsSync } from "node:fs";
import { cp, lstat, mkdir, readdir, readlink, symlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { runIn } from "./run-in.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
/** The folders with installed packages, beside that of the root, that the tests of the copy need. */
const installed = ["tools/openapi/node_modules", "packages/server/node_modules"];

/**
 * Copies the working tree, without what git ignores, into an empty folder and commits it there. Installed
 * packages are linked, except those of the repository itself: the copy uses its own.
 */
export async function copyRepository(copy: string): Promise<void> {
  const list = await runIn(root, "git", ["ls-files", "-co", "--exclude-standard", "-z"]);
  const files = list.split("\0").filter((file) => file !== "" && existsSync(join(root, file)));
  for (const dir of new Set(files.map(dirname))) await mkdir(join(copy, dir), { recursive: true });
  for (const file of files)
    await cp(join(root, file), join(copy, file), { verbatimSymlinks: true });
  await linkPackages(join(root, "node_modules"), join(copy, "node_modules"));
  for (const dir of installed)
    if (existsSync(join(root, dir))) await symlink(join(root, dir), join(copy, dir));
  await runIn(copy, "git", ["init", "--quiet"]);
  await runIn(copy, "git", ["add", "--all"]);
  const who = ["-c", "user.name=test", "-c", "user.email=test@example.com"];
  await runIn(copy, "git", [...who, "commit", "--quiet", "--no-verify", "-m", "before"]);
}

/** Links to the repository's own packages are relative, and kept: in the copy they lead to its packages. */
async function linkPackages(from: string, to: string): Promise<void> {
  await mkdir(to);
  for (const name of await readdir(from)) {
    const source = join(from, name);
    if ((await lstat(source)).isSymbolicLink())
      await symlink(await readlink(source), join(to, name));
    else if (name === "@zoetrope") await linkPackages(source, join(to, name));
    else await symlink(source, join(to, name));
  }
}
