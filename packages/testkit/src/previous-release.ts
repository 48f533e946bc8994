import { execFile } from "node:child_process";
import { mkdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const run = promisify(execFile);
const repository = fileURLToPath(new URL("../../../", import.meta.url));

/** The commit that was released last, used where there is no tag. Set it with every release. */
const releasedCommit = "d0b97d24f4912463fdf9e262300819e8ae272240";

/**
 * Checks out the server's package as it was released last, in a separate directory, with today's
 * dependencies.
 */
export async function checkOutPreviousRelease(dir: string): Promise<{ serverDir: string }> {
  const release = (await newestTag()) ?? releasedCommit;
  const archive = join(dir, "release.tar");
  const source = join(dir, "release");
  await mkdir(source, { recursive: true });
  const archiving = ["archive", "-o", archive, release, "package.json", "packages/server"];
  await run("git", ["-C", repository, ...archiving]).catch((error: unknown) => {
    const message = `there is no ${release} in this clone: fetch the whole history`;
    throw new Error(message, { cause: error });
  });
  await run("tar", ["-xf", archive, "-C", source]);
  await symlink(join(repository, "node_modules"), join(source, "node_modules"));
  return { serverDir: join(source, "packages/server") };
}

/** Before the commit at hand: a release is not its own predecessor. */
async function newestTag(): Promise<string | undefined> {
  const describing = ["describe", "--tags", "--abbrev=0", "HEAD^"];
  const { stdout } = await run("git", ["-C", repository, ...describing]).catch(() => ({
    stdout: "", // no tag
  }));
  return stdout.trim() || undefined;
}
