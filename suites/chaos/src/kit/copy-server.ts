import { cp, symlink } from "node:fs/promises";
import { join } from "node:path";
import { serverPackage } from "@zoetrope/dev/start-server.ts";

/** A copy of the server's package that runs by itself and can be changed. */
export async function copyServer(dir: string): Promise<void> {
  for (const part of ["src", "migrations", "package.json"])
    await cp(join(serverPackage, part), join(dir, part), { recursive: true });
  await symlink(join(serverPackage, "../../node_modules"), join(dir, "node_modules"));
}
